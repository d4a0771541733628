import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from './leaves.module.css'
import { type leaveTexts, useLeaveTexts } from './texts.ts'
import { kindWords, partWords, rangeWords, stateOfLeave } from './words.ts'

const dim = (text: string | null) => (
  <Text span c="dimmed" truncate>
    {text ?? '–'}
  </Text>
)
/** Opens the leave in the drawer; the list stays visible. */
const open = (id: number) => ({ to: '.', search: (now: object) => ({ ...now, leave: String(id) }) }) as const

function shared(words: ReturnType<typeof leaveTexts>) {
  const person: Column<LeaveRequest> = {
    key: 'person',
    title: words.person,
    csv: ({ userName }) => userName,
    cell: ({ id, userName, departmentName }) => (
      <NameCell below={departmentName ?? words.noDepartment}>
        <Link {...open(id)} className={css.name}>
          {userName}
        </Link>
      </NameCell>
    ),
  }
  const when: Column<LeaveRequest> = {
    key: 'when',
    title: words.when,
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
    title: words.kind,
    width: 150,
    csv: kindWords,
    cell: (leave) => dim(kindWords(leave)),
  }
  const status: Column<LeaveRequest> = {
    key: 'status',
    title: words.state,
    width: 140,
    csv: (leave) => stateOfLeave(leave).label,
    cell: (leave) => <StatusBadge {...stateOfLeave(leave)} />,
  }
  const others: readonly Column<LeaveRequest>[] = [
    {
      key: 'days',
      title: words.days,
      sort: 'days',
      width: 72,
      align: 'right',
      csv: ({ days }) => days,
      cell: ({ days }) => <span className="num">{count(days, 1)}</span>,
    },
    {
      key: 'decided',
      title: words.decidedBy,
      width: 170,
      csv: ({ reviewedByName }) => reviewedByName,
      cell: ({ reviewedByName }) => dim(reviewedByName),
    },
    whenColumn('createdAt', words.requested, 116),
  ]
  return { person, when, type, status, others }
}

/** Columns of lists with everybody's leaves. */
export function useColumns(): readonly Column<LeaveRequest>[] {
  const words = useLeaveTexts()
  return useMemo(() => {
    const { person, status, when, type, others } = shared(words)
    return [person, status, when, type, ...others]
  }, [words])
}

/** Columns of the person's own leaves, without the person. */
export function useOwnColumns(): readonly Column<LeaveRequest>[] {
  const words = useLeaveTexts()
  return useMemo(() => {
    const { status, when, type, others } = shared(words)
    const kind: Column<LeaveRequest> = {
      ...type,
      width: undefined,
      cell: (leave) => (
        <NameCell below={leave.reason ?? ''}>
          <Link {...open(leave.id)} className={css.name}>
            {kindWords(leave)}
          </Link>
        </NameCell>
      ),
    }
    const range = {
      ...when,
      cell: (leave: LeaveRequest) => <NameCell below={partWords(leave)}>{rangeWords(leave)}</NameCell>,
    }
    return [kind, status, range, ...others]
  }, [words])
}

/** A leave in two lines on a phone; opens the drawer. */
export const LeaveCard = ({ leave, own }: { leave: LeaveRequest; own?: boolean }) => (
  <Link {...open(leave.id)} className={css.card}>
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={450} truncate>
          {own ? kindWords(leave) : leave.userName}
        </Text>
        <Text c="dimmed" fz="xs" truncate>
          {rangeWords(leave)}
          {!own && `, ${kindWords(leave)}`}
        </Text>
      </div>
      <StatusBadge {...stateOfLeave(leave)} />
    </Group>
  </Link>
)
