import type { Server } from '@innkeeper/contract/servers'
import { Group, Progress, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../kit/LinkTo.tsx'
import { Mono } from '../kit/Mono.tsx'
import { serversApi } from './api.ts'
import { fullness, roomOf } from './load.ts'
import { closedTo, placesFor } from './place.ts'
import css from './servers.module.css'

interface Props {
  value: number | undefined
  onChange: (id: number | undefined) => void
  onBlur: () => void
  error?: string
}

/** Where a website is to live: the emptiest on top, with what each has left; closed ones say why. */
export function ServerField({ value, onChange, onBlur, error }: Props) {
  const { data, error: failed } = useQuery(serversApi.list.query({ itemsPerPage: 200 }))
  const places = placesFor(data?.items ?? [])
  const none = data !== undefined && places.length === 0
  const chosen = places.find(({ id }) => id === value)
  return (
    <Select
      label="Server"
      withAsterisk
      searchable
      placeholder={none ? 'No server for websites yet' : 'Choose a server'}
      data={places.map((server) => ({
        value: String(server.id),
        label: server.name,
        disabled: closedTo(server) !== undefined,
      }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      onBlur={onBlur}
      error={error ?? failed?.message}
      description={
        chosen ? (
          hintOf(chosen)
        ) : none ? (
          <>
            A website needs one.{' '}
            <LinkTo to="/server" fz="inherit">
              See the servers
            </LinkTo>
          </>
        ) : (
          'The emptiest stands on top'
        )
      }
      nothingFoundMessage="No such server"
      classNames={{ option: css.option }}
      styles={chosen && { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      renderOption={({ option }) => {
        const server = places.find(({ id }) => String(id) === option.value)
        return server && <Place server={server} />
      }}
    />
  )
}

const hintOf = (server: Server) =>
  `${roomOf(server.load)}, ${closedTo(server) ?? (server.observed === 'online' ? 'accepts new' : `${server.observed}: work on it waits`)}`

const Place = ({ server }: { server: Server }) => (
  <div style={{ width: '100%' }}>
    <Group justify="space-between" gap={8} wrap="nowrap">
      <Mono truncate c={closedTo(server) && 'dimmed'}>
        {server.name}
      </Mono>
      <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {closedTo(server) ?? roomOf(server.load)}
      </Text>
    </Group>
    {server.load && (
      <Progress
        mt={4}
        size={3}
        value={fullness(server.load) * 100}
        color={fullness(server.load) > 0.85 ? 'warning.5' : 'secondary.4'}
        aria-label="How full"
      />
    )}
  </div>
)
