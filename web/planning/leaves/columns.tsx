import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from './leaves.module.css'
import { partWords, rangeWords, stateOfLeave } from './words.ts'

const dim = (text: string | null) => (
  <Text span c="dimmed" truncate>
    {text ?? '–'}
  </Text>
)
const stateWord = (leave: LeaveRequest) => stateOfLeave(leave).label ?? leave.status

/** Opens the leave in the drawer; the list stays visible. */
const open = (id: number) => ({ to: '.', search: (now: object) => ({ ...now, leave: String(id) }) }) as const

const person: Column<LeaveRequest> = {
  key: 'person',
  title: 'Person',
  csv: ({ userName }) => userName,
  cell: ({ id, userName, departmentName }) => (
    <NameCell below={departmentName ?? 'No department'}>
      <Link {...open(id)} className={css.name}>
        {userName}
      </Link>
    </NameCell>
  ),
}
const when: Column<LeaveRequest> = {
  key: 'when',
  title: 'When',
  sort: 'startDate',
  width: 230,
  csv: ({ startDate, endDate }) => `${startDate} ${endDate}`,
  cell: (leave) => (
    <NameCell below={partWords(leave)}>
      <Text truncate>{rangeWords(leave)}</Text>
    </NameCell>
  ),
}
const type: Column<LeaveRequest> = {
  key: 'type',
  title: 'Kind',
  width: 150,
  csv: ({ typeName }) => typeName,
  cell: ({ typeName }) => dim(typeName),
}
const status: Column<LeaveRequest> = {
  key: 'status',
  title: 'State',
  width: 140,
  csv: stateWord,
  cell: (leave) => <StatusBadge {...stateOfLeave(leave)} />,
}
const others: readonly Column<LeaveRequest>[] = [
  {
    key: 'days',
    title: 'Days',
    sort: 'days',
    width: 72,
    align: 'right',
    csv: ({ days }) => days,
    cell: ({ days }) => <span className="num">{days}</span>,
  },
  {
    key: 'decided',
    title: 'Decided by',
    width: 170,
    csv: ({ reviewedByName }) => reviewedByName,
    cell: ({ reviewedByName }) => dim(reviewedByName),
  },
  whenColumn('createdAt', 'Requested', 116),
]

/** Columns of lists with everybody's leaves. */
export const columns: readonly Column<LeaveRequest>[] = [person, status, when, type, ...others]
/** Columns of the person's own leaves, without the person. */
export const ownColumns: readonly Column<LeaveRequest>[] = [
  {
    ...type,
    width: undefined,
    cell: ({ id, typeName, reason }) => (
      <NameCell below={reason ?? ''}>
        <Link {...open(id)} className={css.name}>
          {typeName}
        </Link>
      </NameCell>
    ),
  },
  status,
  { ...when, cell: (leave) => <NameCell below={partWords(leave)}>{rangeWords(leave)}</NameCell> },
  ...others,
]

/** A leave in two lines on a phone; opens the drawer. */
export const LeaveCard = ({ leave, own }: { leave: LeaveRequest; own?: boolean }) => (
  <Link {...open(leave.id)} className={css.card}>
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={450} truncate>
          {own ? leave.typeName : leave.userName}
        </Text>
        <Text c="dimmed" fz="xs" truncate>
          {rangeWords(leave)}
          {!own && `, ${leave.typeName}`}
        </Text>
      </div>
      <StatusBadge {...stateOfLeave(leave)} />
    </Group>
  </Link>
)
