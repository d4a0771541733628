import type { MailSender } from '@innkeeper/contract/net/mailboxes/senders'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { RowCard } from '../../../kit/list/RowCard.tsx'
import { ago, count } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'

const stateOf = ({ stoppedAt, limit, hour }: MailSender) =>
  stoppedAt === null ? (limit !== null && hour >= limit ? 'limit-reached' : 'active') : 'stopped'

/** Why a stopped sender was stopped. */
const whyStopped = ({ stoppedAt, tried, limit, held }: MailSender): string =>
  stoppedAt === null
    ? ''
    : `Stopped ${ago(stoppedAt)}: tried ${count(tried)} recipients within an hour${limit === null ? '' : `, ${count(limit)} are allowed`}. Its queued mail is ${held ? 'held' : 'being held'}.`

const figure = (key: 'hour' | 'day' | 'refused', title: string): Column<MailSender> => ({
  key,
  title,
  sort: key,
  width: 120,
  align: 'right',
  csv: (sender) => sender[key],
  cell: (sender) => <span className="num">{count(sender[key])}</span>,
})

export const columns: readonly Column<MailSender>[] = [
  {
    key: 'sender',
    title: 'Sender',
    sort: 'sender',
    csv: ({ sender }) => sender,
    cell: (sender) => (
      <NameCell below={whyStopped(sender) || (sender.sender.includes('@') ? '' : 'programs of a website')}>
        <Text fw={500} truncate title={sender.sender}>
          {sender.sender}
        </Text>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 150,
    csv: stateOf,
    cell: (sender) => <StatusBadge state={stateOf(sender)} />,
  },
  figure('day', 'Last day'),
  figure('hour', 'Last hour'),
  {
    key: 'limit',
    title: 'Allowed an hour',
    width: 130,
    align: 'right',
    csv: ({ limit }) => limit ?? '',
    cell: ({ limit }) => <span className="num">{limit === null ? '–' : count(limit)}</span>,
  },
  figure('refused', 'Refused'),
  {
    key: 'server',
    title: 'Server',
    width: 150,
    csv: ({ serverName }) => serverName,
    cell: ({ serverName }) => serverName,
  },
]

/** Two lines on a phone. */
export const SenderCard = ({ sender }: { sender: MailSender }) => (
  <RowCard name={sender.sender} below={whyStopped(sender) || sender.serverName}>
    <StatusBadge state={stateOf(sender)} />
    <Text c="dimmed" fz="xs" className="num">
      {count(sender.day)} in the last day
    </Text>
  </RowCard>
)
