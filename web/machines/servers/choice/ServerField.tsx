import { diskMeasured, type Server } from '@innkeeper/contract/machines/servers/shapes'
import { Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { serversApi } from '../api.ts'
import { fullness, roomOf } from '../load/load.ts'
import { closedTo, places } from './availability.ts'

interface Props {
  value: number | undefined
  onChange: (id: number | undefined) => void
  onBlur: () => void
  error?: string
  /** The server that has it now, which is no choice. */
  now?: number | undefined
}

/** Chooses the server of a website: the emptiest first, with free capacity; unavailable servers give a reason. */
export function ServerField({ value, onChange, onBlur, error, now }: Props) {
  const { data: offered } = useQuery(places.query({ search: '', itemsPerPage: 50 })) // the same query as that of the field
  const { data: found } = useQuery({
    ...serversApi.list.query({ ids: [value ?? 0], itemsPerPage: 1 }),
    enabled: value !== undefined,
  })
  const chosen = value === undefined ? undefined : found?.items[0]
  const whyNot = (server: Server) => (server.id === now ? 'has it now' : closedTo(server))
  return (
    <PickOne
      label="Server"
      required
      mono
      placeholder={offered?.total === 0 ? 'No server for websites yet' : 'Choose a server'}
      call={places}
      nameOf={({ name }) => name}
      closed={whyNot}
      option={(server) => <Place server={server} why={whyNot(server)} />}
      value={value ?? null}
      valueName={chosen?.name ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onBlur={onBlur}
      error={error}
      description={
        chosen ? (
          hintOf(chosen)
        ) : offered?.total === 0 ? (
          <>
            A website needs one.{' '}
            <LinkTo to="/server" fz="inherit">
              See the servers
            </LinkTo>
          </>
        ) : (
          'The emptiest first'
        )
      }
    />
  )
}

const hintOf = (server: Server) =>
  [
    roomOf(server.load),
    closedTo(server) ?? (server.observed === 'online' ? 'accepts new' : `${server.observed}: work on it waits`),
    ...(server.notEnforced.some((line) => line.startsWith(diskMeasured)) ? ['disk is measured, not limited'] : []),
  ].join(', ')

const Place = ({ server, why }: { server: Server; why: string | undefined }) => (
  <div style={{ width: '100%' }}>
    <Group justify="space-between" gap={8} wrap="nowrap">
      <Mono truncate c={why && 'dimmed'}>
        {server.name}
      </Mono>
      <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {why ?? roomOf(server.load)}
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
