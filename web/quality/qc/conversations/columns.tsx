import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { ago, count } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { TagChip } from '../TagChip.tsx'
import { scoreText } from '../words.ts'

export const titleOf = ({ subject, customerName, externalId }: Conversation) => subject || customerName || externalId

const states = {
  imported: ['skipped', 'Not queued'],
  queued: ['pending', 'In the queue'],
  reviewed: ['done', 'Reviewed'],
  cleared: ['skipped', 'Cleared'],
} as const

/** Status of a conversation; for a queued one, who has opened, postponed or begun it, or to whom it is assigned. */
export function State({ row }: { row: Conversation }) {
  const { status, holder, postponedBy, assignee, drafts, reopenedSince } = row
  const [state, label] = states[status]
  if (status === 'reviewed' && reopenedSince) return <StatusBadge state="pending" label="Reopened" />
  if (status !== 'queued') return <StatusBadge state={state} label={label} />
  if (holder) return <StatusBadge state="running" label={`Open: ${holder.name}`} />
  if (postponedBy) return <StatusBadge state="pending" label={`Later: ${postponedBy.name}`} />
  if (drafts[0]) return <StatusBadge state="pending" label={`Begun: ${drafts[0].name}`} />
  return <StatusBadge state={state} label={assignee ? `For ${assignee.name}` : label} />
}

export const columns: readonly Column<Conversation>[] = [
  {
    key: 'subject',
    title: 'Conversation',
    csv: titleOf,
    cell: (row) => (
      <NameCell below={`${row.externalId}, ${row.customerName || row.customerEmail || 'no name'}`}>
        <RowName>
          <span dir="auto">{titleOf(row)}</span>
        </RowName>
      </NameCell>
    ),
  },
  { key: 'status', title: 'Status', width: 190, csv: ({ status }) => status, cell: (row) => <State row={row} /> },
  {
    key: 'agent',
    title: 'Agent',
    width: 170,
    csv: ({ agent }) => agent?.name ?? '',
    cell: ({ agent, agents }) => (
      <Text truncate c={agent ? undefined : 'dimmed'}>
        {agent?.name ?? 'unknown'}
        {agents.length > 1 && ` +${agents.length - 1}`}
      </Text>
    ),
  },
  {
    key: 'tags',
    title: 'Tags',
    spare: true,
    width: 180,
    csv: ({ tags }) => tags.map(({ name }) => name).join(', '),
    cell: ({ tags }) => (
      <Group gap={4} wrap="nowrap">
        {tags.slice(0, 2).map((tag) => (
          <TagChip key={tag.id} {...tag} />
        ))}
      </Group>
    ),
  },
  {
    key: 'messages',
    title: 'Messages',
    spare: true,
    sort: 'messages',
    width: 100,
    align: 'right',
    csv: ({ messages }) => messages,
    cell: ({ messages }) => <span className="num">{count(messages)}</span>,
  },
  {
    key: 'csat',
    title: 'Rating',
    width: 80,
    align: 'right',
    csv: ({ csat }) => csat ?? '',
    cell: ({ csat }) => <span className="num">{csat ?? '–'}</span>,
  },
  {
    key: 'failedChecks',
    title: 'Failed checks',
    sort: 'failedChecks',
    width: 122,
    align: 'right',
    csv: ({ failedChecks }) => failedChecks ?? '',
    cell: ({ failedChecks }) => <span className="num">{failedChecks || '–'}</span>,
  },
  {
    key: 'score',
    title: 'Score',
    sort: 'score',
    width: 80,
    align: 'right',
    csv: ({ score }) => score ?? '',
    cell: ({ score }) => <span className="num">{scoreText(score)}</span>,
  },
  {
    key: 'lastAt',
    title: 'Last message',
    sort: 'lastAt',
    width: 130,
    csv: ({ lastAt }) => lastAt,
    cell: ({ lastAt }) => <Text c="dimmed">{ago(lastAt)}</Text>,
  },
]

export const ConversationCard = ({ row }: { row: Conversation }) => (
  <>
    <Group justify="space-between" wrap="nowrap" gap={8}>
      <Text fw={450} truncate dir="auto">
        {titleOf(row)}
      </Text>
      {row.status === 'reviewed' ? (
        <Text className="num" fz="xs" style={{ flex: 'none' }}>
          {scoreText(row.score)}
        </Text>
      ) : (
        <State row={row} />
      )}
    </Group>
    <Text c="dimmed" fz="xs" truncate>
      {row.agent?.name ?? 'unknown agent'}, {row.messages} messages, {ago(row.lastAt)}
    </Text>
  </>
)
