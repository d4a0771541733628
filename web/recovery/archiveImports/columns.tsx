import type { ArchiveImport } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { fileOf, formats } from './words.ts'

const contentOf = ({ counts }: ArchiveImport) =>
  counts
    ? [
        counted(counts.websites, ['website', 'websites']),
        counted(counts.databases, ['database', 'databases']),
        counted(counts.mailboxes, ['mailbox', 'mailboxes']),
      ].join(', ')
    : ''

export const columns: readonly Column<ArchiveImport>[] = [
  {
    key: 'fileName',
    title: 'Archive',
    sort: 'fileName',
    csv: ({ fileName }) => fileName,
    cell: (one) => (
      <NameCell below={`${one.serverName}${one.format ? `, ${formats[one.format]}` : ''}`}>
        <LinkTo to="/archive-imports/$id" params={{ id: String(one.id) }} c="inherit" truncate>
          {fileOf(one)}
        </LinkTo>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 170,
    csv: ({ status }) => status,
    cell: ({ status, paused }) => <StatusBadge state={paused ? 'paused' : status} />,
  },
  {
    key: 'content',
    title: 'Contains',
    width: 330,
    csv: contentOf,
    cell: (one) => (
      <Text c="dimmed" truncate title={one.reason ?? undefined}>
        {one.reason ?? contentOf(one)}
      </Text>
    ),
  },
  { key: 'by', title: 'By', width: 130, csv: ({ by }) => by, cell: ({ by }) => <Text c="dimmed">{by}</Text> },
  {
    key: 'createdAt',
    title: 'Begun',
    sort: 'createdAt',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** Two lines on a phone. */
export const ImportCard = ({ one }: { one: ArchiveImport }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {fileOf(one)}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {one.reason ?? `${one.serverName}, ${ago(one.createdAt)}`}
      </Text>
    </div>
    <StatusBadge state={one.paused ? 'paused' : one.status} />
  </Group>
)
