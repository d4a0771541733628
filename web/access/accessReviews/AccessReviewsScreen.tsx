import { type AccessReview, accessReviewStates } from '@innkeeper/contract/access/accessReviews'
import { Group, Text } from '@mantine/core'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../kit/list/NameCell.tsx'
import { useList } from '../../kit/list/useList.ts'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count, longDay } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { accessReviewsApi } from './api.ts'
import { reviewWords } from './words.ts'

const State = ({ review: { state, isOverdue } }: { review: AccessReview }) =>
  isOverdue ? <StatusBadge state="warning" label="Overdue" /> : <StatusBadge {...reviewWords[state]} />
const progress = ({ items, undecided }: AccessReview) => `${count(items - undecided)} of ${count(items)}`

const columns: readonly Column<AccessReview>[] = [
  {
    key: 'name',
    title: 'Name',
    csv: ({ name }) => name,
    cell: ({ name, reviewerName }) => (
      <NameCell below={reviewerName}>
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: 130,
    csv: ({ state }) => state,
    cell: (review) => <State review={review} />,
  },
  { key: 'decided', title: 'Decided', width: 130, csv: progress, cell: progress },
  {
    key: 'toRemove',
    title: 'To remove',
    width: 110,
    csv: ({ toRemove }) => toRemove,
    cell: ({ toRemove }) => count(toRemove),
  },
  {
    key: 'dueOn',
    title: 'Due',
    sort: 'dueOn',
    width: 130,
    csv: ({ dueOn }) => dueOn,
    cell: ({ dueOn }) => longDay(dueOn),
  },
  whenColumn('createdAt', 'Began'),
]

/** Rounds in which people judge who holds what. */
export default function AccessReviewsScreen() {
  const list = useList(accessReviewsApi.list, { filters: ['search', 'state'] })
  const create = (
    <CreateButton call={accessReviewsApi.create} to="/access-reviews/create">
      Begin access review
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="access-reviews"
        noun={['access review', 'access reviews']}
        list={list}
        columns={columns}
        card={(review) => (
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text fw={450} truncate>
                {review.name}
              </Text>
              <Text c="dimmed" fz="xs">
                {progress(review)} decided, due {longDay(review.dueOn)}
              </Text>
            </div>
            <State review={review} />
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => `/access-reviews/${id}`}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'state',
            label: 'State',
            single: true,
            options: accessReviewStates.map((value) => ({ value, label: reviewWords[value].label })),
          },
        ]}
        empty={{
          title: 'No access review yet',
          text: 'A review writes down who holds what, from where, and when it was last used. Somebody decides what to keep, and the end removes the rest.',
          action: create,
          tag: 'AR',
        }}
      />
    </Screen>
  )
}
