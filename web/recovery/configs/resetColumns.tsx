import type { ConfigReset } from '@innkeeper/contract/recovery/configs/shapes'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { services } from './words.ts'

export const isOpen = ({ status, dismissedAt }: ConfigReset) => status !== 'pending' && !dismissedAt

export const columns: readonly Column<ConfigReset>[] = [
  {
    key: 'server',
    title: 'Server and service',
    sort: 'serverName',
    csv: ({ serverName, service }) => `${serverName} ${service}`,
    cell: ({ serverName, service, number, versionId }) => (
      <NameCell below={serverName}>
        <LinkTo to="/backups/config-resets/$version" params={{ version: String(versionId) }} c="inherit" truncate>
          {services[service]} to version {number}
        </LinkTo>
      </NameCell>
    ),
  },
  {
    key: 'action',
    title: 'Action',
    width: 110,
    csv: ({ action }) => action,
    cell: ({ action }) => <Text c="dimmed">{action ?? '–'}</Text>,
  },
  {
    key: 'status',
    title: 'Status',
    width: 120,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'message',
    title: 'Result',
    width: 320,
    csv: ({ message, files }) => message ?? counted(files, ['file', 'files']),
    cell: ({ message, files, status }) => (
      <Text c="dimmed" truncate title={message ?? undefined}>
        {message ?? (status === 'done' ? counted(files, ['file', 'files']) : '')}
      </Text>
    ),
  },
  {
    key: 'startedBy',
    title: 'By',
    width: 130,
    csv: ({ startedBy }) => startedBy,
    cell: ({ startedBy }) => <Text c="dimmed">{startedBy}</Text>,
  },
  {
    key: 'startedAt',
    title: 'Started',
    sort: 'startedAt',
    width: 120,
    csv: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <Text c="dimmed">{ago(startedAt)}</Text>,
  },
]

/** Two lines on a phone. */
export const ResetCard = ({ reset }: { reset: ConfigReset }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {services[reset.service]} of {reset.serverName} to version {reset.number}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {reset.message ?? `${reset.startedBy}, ${ago(reset.startedAt)}`}
      </Text>
    </div>
    <StatusBadge state={reset.status} />
  </Group>
)
