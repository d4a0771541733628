import type { SmsBatch, SmsMessage } from '@innkeeper/contract/desk/sms/calls'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count, moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

const kindWords = { message: 'Message', alert: 'Alert', test: 'Test' } as const

/** When a waiting message will be sent, or why a message was not delivered. */
const whyOf = ({ reason, status, notBefore }: SmsMessage): string =>
  reason ?? (status === 'queued' && notBefore ? `goes out ${moment(notBefore)}` : '')

export const messageColumns: readonly Column<SmsMessage>[] = [
  {
    key: 'to',
    title: 'To',
    width: 190,
    csv: ({ to }) => to,
    cell: ({ to, userName }) => (
      <NameCell below={userName ? to : 'no colleague'}>
        <Text truncate>{userName ?? to}</Text>
      </NameCell>
    ),
  },
  {
    key: 'body',
    title: 'Text',
    csv: ({ body }) => body,
    cell: (message) => (
      <NameCell below={whyOf(message)}>
        <Text truncate title={message.body}>
          {message.body}
        </Text>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'kind',
    title: 'Kind',
    width: 100,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => <Text c="dimmed">{kindWords[kind]}</Text>,
  },
  {
    key: 'segments',
    title: 'Segments',
    spare: true,
    width: 96,
    align: 'right',
    csv: ({ segments }) => segments,
    cell: ({ segments }) => <span className="num">{count(segments)}</span>,
  },
  whenColumn('createdAt', 'Created', 120),
]

export const MessageCard = ({ message }: { message: SmsMessage }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {message.userName ?? message.to}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {message.body}
      </Text>
      {whyOf(message) && (
        <Text c="dimmed" fz="xs">
          {whyOf(message)}
        </Text>
      )}
    </div>
    <StatusBadge state={message.status} />
  </Group>
)

/** "3 delivered, 1 failed", or when the send is due. */
export function outcomeOf({ counts, sendAt, expandedAt }: SmsBatch): string {
  if (!expandedAt) return sendAt ? `scheduled for ${moment(sendAt)}` : 'is being prepared'
  const parts = Object.entries(counts).flatMap(([status, n]) => (n ? [`${count(n)} ${status}`] : []))
  return parts.join(', ') || 'nobody'
}

export const batchColumns: readonly Column<SmsBatch>[] = [
  {
    key: 'body',
    title: 'Text',
    csv: ({ body }) => body,
    cell: ({ body, templateName, by }) => (
      <NameCell below={[templateName, by && `by ${by}`].filter(Boolean).join(', ') || 'by Innkeeper'}>
        <Text truncate title={body}>
          {body}
        </Text>
      </NameCell>
    ),
  },
  {
    key: 'kind',
    title: 'Kind',
    width: 100,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => <Text c="dimmed">{kindWords[kind]}</Text>,
  },
  {
    key: 'outcome',
    title: 'Became',
    width: 250,
    csv: outcomeOf,
    cell: (batch) => <Text truncate>{outcomeOf(batch)}</Text>,
  },
  {
    key: 'acknowledged',
    title: 'Taken by',
    width: 160,
    csv: ({ acknowledgedBy }) => acknowledgedBy,
    cell: ({ kind, acknowledgedBy }) => (
      <Text c="dimmed" truncate>
        {acknowledgedBy ?? (kind === 'alert' ? 'nobody yet' : '–')}
      </Text>
    ),
  },
  whenColumn('createdAt', 'Created', 120),
]
