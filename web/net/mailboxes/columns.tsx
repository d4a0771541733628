import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { serverColumn } from '../../kit/list/serverColumn.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { shownStatus, size, whyNot } from './words.ts'

export const columns: readonly Column<Mailbox>[] = [
  {
    key: 'domain',
    title: 'Mail domain',
    sort: 'domain',
    csv: ({ domain }) => domain,
    cell: ({ id, domain, ownerName }) => (
      <NameCell below={ownerName ?? 'no website'}>
        <NameLink to="/mailboxes/edit/$mailboxId" params={{ mailboxId: String(id) }} title={domain}>
          {domain}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    csv: ({ status }) => status,
    cell: (mailbox) => (
      <span title={whyNot(mailbox)}>
        <StatusBadge state={shownStatus(mailbox)} />
      </span>
    ),
  },
  {
    key: 'website',
    title: 'Website',
    width: 190,
    csv: ({ websiteDomain }) => websiteDomain ?? '',
    cell: ({ websiteDomain }) => websiteDomain ?? '–',
  },
  { ...serverColumn, width: 150 },
  {
    key: 'users',
    title: 'Mailboxes',
    width: 100,
    align: 'right',
    csv: ({ users }) => users,
    cell: ({ users }) => <span className="num">{count(users)}</span>,
  },
  {
    key: 'usedMb',
    title: 'Used',
    width: 100,
    align: 'right',
    csv: ({ usedMb }) => usedMb,
    cell: ({ usedMb, quotaMb }) => (
      <span className="num" title={`of ${size(quotaMb)} that its mailboxes may use`}>
        {size(usedMb)}
      </span>
    ),
  },
  whenColumn('createdAt', 'Created'),
]

/** Two lines on a phone. */
export const MailboxCard = ({ mailbox }: { mailbox: Mailbox }) => (
  <RowCard name={mailbox.domain} below={mailbox.ownerName ?? 'no website'}>
    <StatusBadge state={shownStatus(mailbox)} />
    <Mono c="dimmed" fz="xs" display="block">
      {mailbox.serverName}
    </Mono>
  </RowCard>
)
