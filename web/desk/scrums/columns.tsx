import type { DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Group, Text } from '@mantine/core'
import { writeDay } from '../../kit/form/dates.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { percent, periodWords, statusMarks, statusWords } from './words.ts'

export const columns: readonly Column<DevAudit>[] = [
  {
    key: 'name',
    title: 'Audit',
    csv: ({ name }) => name,
    cell: (audit) => (
      <NameCell below={`by ${audit.auditor.name}`}>
        <NameLink to="/scrums/edit/audits/$auditId" params={{ auditId: String(audit.id) }}>
          {audit.name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'user',
    title: 'Person',
    width: 190,
    csv: ({ user }) => user.name,
    cell: ({ user }) => (
      <LinkTo to="/scrums/dev-audit/$userId" params={{ userId: String(user.id) }} c="inherit">
        {user.name}
      </LinkTo>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={statusMarks[status]} label={statusWords[status]} />,
  },
  {
    key: 'total',
    title: 'Total',
    sort: 'total',
    width: 92,
    align: 'right',
    csv: ({ total }) => total,
    cell: ({ total }) => <span className="num">{percent(total)}</span>,
  },
  {
    key: 'period',
    title: 'Period',
    sort: 'periodEnd',
    width: 210,
    csv: ({ periodStart, periodEnd }) => `${periodStart} ${periodEnd}`,
    cell: (audit) => <Text c="dimmed">{periodWords(audit)}</Text>,
  },
  {
    key: 'actions',
    title: 'Actions open',
    width: 116,
    align: 'right',
    csv: ({ actions }) => actions.filter(({ isDone }) => !isDone).length,
    cell: ({ actions }) => (
      <Text c="dimmed" className="num">
        {actions.length ? `${actions.filter(({ isDone }) => !isDone).length} of ${actions.length}` : '–'}
      </Text>
    ),
  },
]

export const AuditCard = ({ audit }: { audit: DevAudit }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {audit.name}, {audit.user.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        until {writeDay(audit.periodEnd)}, {percent(audit.total)}
      </Text>
    </div>
    <StatusBadge state={statusMarks[audit.status]} label={statusWords[audit.status]} />
  </Group>
)
