import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Group, Stack, Text } from '@mantine/core'
import { IconArrowsDiff, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { WorkflowPane } from '../../../machines/workflows/WorkflowPane.tsx'
import { dnsApi } from '../api.ts'
import { Diff } from '../Diff.tsx'
import { seenWords } from '../words.ts'

/** The zone on each name server: the last observation, and a live query with the differences. */
export default function NameServers({ zone, workflow }: { zone: ZoneView; workflow: WorkflowWithActions | undefined }) {
  const lacking = useReason()
  const compared = useQuery({ ...dnsApi.compare.query({ id: zone.id }), enabled: false })
  const sync = () =>
    void attempt(() => dnsApi.sync({ zoneId: zone.id }), ['dns', 'workflows']).then(
      () => compared.data && compared.refetch(),
    )
  const inactive = zone.active ? undefined : 'The zone is not active: name servers do not serve it.'
  const none = zone.servers.length ? undefined : 'There is no name server yet.'
  return (
    <Split side={workflow && <WorkflowPane workflow={workflow} />}>
      <Section
        title="Name servers"
        hint="as last seen"
        pad={false}
        aside={
          <Group gap={8} wrap="nowrap">
            <ActButton
              size="xs"
              variant="default"
              leftSection={<IconArrowsDiff size={14} />}
              loading={compared.isFetching}
              reason={none}
              onClick={() => void compared.refetch()}
            >
              Compare
            </ActButton>
            <ActButton
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              reason={lacking(dnsApi.sync) ?? inactive ?? none}
              onClick={sync}
            >
              Sync
            </ActButton>
          </Group>
        }
      >
        {zone.servers.map((server) => {
          const { state, label } = seenWords[server.seen]
          return (
            <Group
              key={server.serverId}
              justify="space-between"
              px={14}
              py={9}
              gap={12}
              style={{ borderBottom: '1px solid var(--ink-line)' }}
            >
              <div>
                <Mono fw={450}>{server.name}</Mono>
                <Text c="dimmed" fz="xs">
                  {server.primary ? 'primary' : 'secondary'} · <Mono>{server.address}</Mono>
                </Text>
                {server.why && (
                  <Text c="red" fz="xs">
                    {server.why}
                  </Text>
                )}
              </div>
              <Group gap={16}>
                {server.serial !== null && <Mono c="dimmed">{server.serial}</Mono>}
                <Text c="dimmed" fz="xs">
                  {server.at ? moment(server.at) : ''}
                </Text>
                <StatusBadge state={state} label={label} />
              </Group>
            </Group>
          )
        })}
        {none && (
          <Text c="dimmed" p={14}>
            There is no name server yet. Add a server of type dns: the next sync sends it the zones.
          </Text>
        )}
      </Section>
      {compared.error && <ErrorLine error={compared.error} />}
      {compared.data && (
        <Section
          title="Compared now"
          hint={compared.dataUpdatedAt ? moment(new Date(compared.dataUpdatedAt)) : undefined}
        >
          <Stack gap={12}>
            {compared.data.items.map(({ serverId, name, seen, why, serial, lines }) => (
              <div key={serverId}>
                <Group gap={12} mb={lines.length ? 6 : 0}>
                  <Mono fw={450}>{name}</Mono>
                  <StatusBadge {...seenWords[seen]} />
                  {serial !== null && <Mono c="dimmed">{serial}</Mono>}
                </Group>
                {why && (
                  <Text c="red" fz="sm">
                    {why}
                  </Text>
                )}
                {lines.length > 0 && <Diff lines={lines} label={`Records that differ on ${name}`} />}
              </div>
            ))}
          </Stack>
        </Section>
      )}
    </Split>
  )
}
