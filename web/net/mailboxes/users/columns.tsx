import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { RowCard } from '../../../kit/list/RowCard.tsx'
import { whenColumn } from '../../../kit/list/whenColumn.tsx'
import { moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { size, usage, userStatus, whyNot } from '../words.ts'

export const columns: readonly Column<MailboxUser>[] = [
  {
    key: 'address',
    title: 'Address',
    sort: 'address',
    csv: ({ address }) => address,
    cell: ({ id, address, name }) => (
      <NameCell below={name}>
        <NameLink to="/mailboxes/users/edit/$userId" params={{ userId: String(id) }} title={address}>
          {address}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    csv: userStatus,
    cell: (user) => (
      <span title={whyNot(user)}>
        <StatusBadge state={userStatus(user)} />
      </span>
    ),
  },
  {
    key: 'usedMb',
    title: 'Used',
    sort: 'usedMb',
    width: 110,
    align: 'right',
    csv: ({ usedMb }) => usedMb ?? '',
    cell: ({ usedMb, usedSeenAt }) => (
      <span className="num" title={usedSeenAt ? `Measured ${moment(usedSeenAt)}` : 'Not measured yet'}>
        {usedMb === null ? '–' : size(usedMb)}
      </span>
    ),
  },
  {
    key: 'quotaMb',
    title: 'Quota',
    sort: 'quotaMb',
    width: 110,
    align: 'right',
    csv: ({ quotaMb }) => quotaMb,
    cell: ({ quotaMb }) => <span className="num">{size(quotaMb)}</span>,
  },
  {
    key: 'forwards',
    title: 'Forwards',
    width: 180,
    off: true,
    csv: ({ forwards }) => forwards.join(' '),
    cell: ({ forwards }) => forwards.join(', ') || '–',
  },
  whenColumn('createdAt', 'Created'),
]

/** Two lines on a phone. */
export const UserCard = ({ user }: { user: MailboxUser }) => (
  <RowCard name={user.address} below={user.name}>
    <StatusBadge state={userStatus(user)} />
    <Text c="dimmed" fz="xs" className="num">
      {usage(user)}
    </Text>
  </RowCard>
)
