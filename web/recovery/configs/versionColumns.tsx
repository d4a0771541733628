import type { ConfigVersion } from '@innkeeper/contract/recovery/configs/shapes'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { authorsOf, changesOf, services, triggers } from './words.ts'

export const columns: readonly Column<ConfigVersion>[] = [
  {
    key: 'server',
    title: 'Server and service',
    sort: 'serverName',
    csv: ({ serverName, service }) => `${serverName} ${service}`,
    cell: ({ id, serverName, service, number, serverRemoved }) => (
      <NameCell below={serverRemoved ? `${serverName}, removed` : serverName}>
        <NameLink to="/backups/config-resets/$version" params={{ version: String(id) }}>
          {services[service]} <Mono c="dimmed">#{number}</Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'by',
    title: 'Changed by',
    width: 150,
    csv: ({ by }) => authorsOf(by),
    cell: ({ by }) => (
      <Text c={by.includes('person') ? undefined : 'dimmed'} fw={by.includes('person') ? 500 : undefined} truncate>
        {authorsOf(by)}
      </Text>
    ),
  },
  {
    key: 'changes',
    title: 'Changes',
    width: 210,
    csv: changesOf,
    cell: (version) => (
      <Text c="dimmed" truncate title={version.paths.join('\n')}>
        {version.number === 1 ? `first, ${counted(version.files, ['file', 'files'])}` : changesOf(version)}
      </Text>
    ),
  },
  {
    key: 'paths',
    title: 'Files',
    width: 260,
    csv: ({ paths }) => paths.join(' '),
    cell: ({ paths }) => (
      <Mono fz="xs" c="dimmed" display="block" truncate>
        {paths[0]}
      </Mono>
    ),
  },
  {
    key: 'current',
    title: 'State',
    width: 100,
    csv: ({ current }) => (current ? 'newest' : 'earlier'),
    cell: ({ current }) => (current ? <StatusBadge state="active" label="Newest" /> : <Text c="dimmed">Earlier</Text>),
  },
  {
    key: 'trigger',
    title: 'Collected',
    width: 120,
    off: true,
    csv: ({ trigger }) => triggers[trigger],
    cell: ({ trigger }) => <Text c="dimmed">{triggers[trigger]}</Text>,
  },
  {
    key: 'collectedAt',
    title: 'When',
    sort: 'collectedAt',
    width: 120,
    csv: ({ collectedAt }) => collectedAt,
    cell: ({ collectedAt }) => <Text c="dimmed">{ago(collectedAt)}</Text>,
  },
]

/** Two lines on a phone. */
export const VersionCard = ({ version }: { version: ConfigVersion }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {services[version.service]} of {version.serverName} <Mono c="dimmed">#{version.number}</Mono>
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {authorsOf(version.by)}: {changesOf(version)}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
      {ago(version.collectedAt)}
    </Text>
  </Group>
)
