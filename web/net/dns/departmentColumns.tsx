import type { DnsDepartment } from '@innkeeper/contract/net/dns/calls'
import { Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ago, count } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

export const state = ({ promotedAt }: DnsDepartment) =>
  promotedAt ? { state: 'on', label: 'Promoted' } : { state: 'off', label: 'Not promoted' }

export const columns: readonly Column<DnsDepartment>[] = [
  {
    key: 'name',
    title: 'Department',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name }) => <Text fw={450}>{name}</Text>,
  },
  {
    key: 'state',
    title: 'Zones',
    width: 150,
    csv: (row) => state(row).label,
    cell: (row) => <StatusBadge {...state(row)} />,
  },
  {
    key: 'zones',
    title: 'Given zones',
    width: 110,
    align: 'right',
    csv: ({ zones }) => zones,
    cell: ({ id, zones }) => (
      <LinkTo to="/dns" search={{ department: String(id) }} c="inherit" className="num">
        {count(zones)}
      </LinkTo>
    ),
  },
  {
    key: 'people',
    title: 'People',
    width: 90,
    align: 'right',
    csv: ({ people }) => people,
    cell: ({ people }) => <span className="num">{count(people)}</span>,
  },
  {
    key: 'promotedAt',
    title: 'Promoted',
    width: 190,
    csv: ({ promotedAt }) => promotedAt,
    cell: ({ promotedAt, promotedBy }) => (
      <Text c="dimmed" truncate>
        {promotedAt ? `${ago(promotedAt)} by ${promotedBy}` : ''}
      </Text>
    ),
  },
]
