import type { Reviewer } from '@innkeeper/contract/quality/qc/reviewers'
import { Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { count } from '../../../kit/look/format.ts'
import { qcReviewersApi } from '../api.ts'
import { ReviewerModal } from './ReviewerModal.tsx'

const reachOf = ({ isManager, departments, teams }: Reviewer): string => {
  if (isManager) return 'Everything, as a manager'
  const named = [...departments, ...teams].map(({ name }) => name)
  return named.length ? named.join(', ') : 'Everything'
}
const parts = ({ assigned, drafts, escalations, disputes }: Reviewer): string =>
  [
    assigned && `${assigned} assigned`,
    drafts && `${drafts} begun`,
    escalations && `${escalations} escalated`,
    disputes && `${disputes} disputed`,
  ]
    .filter(Boolean)
    .join(', ')
const waiting = ({ assigned, drafts, escalations, disputes }: Reviewer) => assigned + drafts + escalations + disputes

const columns: readonly Column<Reviewer>[] = [
  {
    key: 'name',
    title: 'Reviewer',
    csv: ({ name }) => name,
    cell: (row) => (
      <NameCell below={reachOf(row)}>
        <RowName>{row.name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'week',
    title: 'This week',
    width: 120,
    align: 'right',
    csv: ({ reviewedThisWeek }) => reviewedThisWeek,
    cell: ({ reviewedThisWeek, weeklyGoal }) => (
      <NameCell below={weeklyGoal === null ? 'no goal' : `of ${count(weeklyGoal)}`}>
        <span className="num">{count(reviewedThisWeek)}</span>
      </NameCell>
    ),
  },
  {
    key: 'before',
    title: 'Last week',
    width: 100,
    align: 'right',
    csv: ({ reviewedLastWeek }) => reviewedLastWeek,
    cell: ({ reviewedLastWeek }) => <span className="num">{count(reviewedLastWeek)}</span>,
  },
  {
    key: 'waiting',
    title: 'Waits',
    width: 260,
    align: 'right',
    csv: waiting,
    cell: (row) => (
      <NameCell below={parts(row)}>
        <span className="num">{count(waiting(row))}</span>
      </NameCell>
    ),
  },
]

/** Who reviews: limits to departments and teams, weekly goals, and what waits for each person. */
export default function ReviewersScreen() {
  const list = useList(qcReviewersApi.reviewers, { filters: [] })
  const [open, setOpen] = useState<Reviewer>()
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="qc-reviewers"
        noun={['reviewer', 'reviewers']}
        list={list}
        columns={columns}
        card={(row) => (
          <>
            <Text fw={450} truncate>
              {row.name}
            </Text>
            <Text c="dimmed" fz="xs" truncate>
              {count(row.reviewedThisWeek)} this week, {count(waiting(row))} waiting
            </Text>
          </>
        )}
        label={({ name }) => name}
        menu={(row) => <Menu.Item onClick={() => setOpen(row)}>Change limits and goal</Menu.Item>}
        empty={{
          title: 'Nobody reviews yet',
          text: 'People whose role allows reviews of chats or tickets appear here.',
          tag: 'RV',
        }}
      />
      {open && <ReviewerModal reviewer={open} close={() => setOpen(undefined)} />}
    </Screen>
  )
}
