import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import type { View } from '../../../kit/list/savedViews.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Views } from '../../../kit/list/Views.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { Due, isLate, lateFilter } from './Due.tsx'
import { caseState } from './states.ts'

const types = { feedback: 'Feedback', dispute: 'Dispute' } as const
const columns: readonly Column<Feedback>[] = [
  {
    key: 'content',
    title: 'Feedback',
    csv: ({ content }) => content,
    cell: ({ content, kind, externalId, createdBy }) => (
      <NameCell below={`${createdBy.name} on ${kind} ${externalId}`}>
        <RowName>
          <span dir="auto">{content}</span>
        </RowName>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge {...caseState(status)} />,
  },
  { key: 'type', title: 'Type', width: 110, csv: ({ type }) => type, cell: ({ type }) => types[type] },
  {
    key: 'agent',
    title: 'About',
    width: 160,
    csv: ({ agent }) => agent?.name ?? '',
    cell: ({ agent }) => <Text c={agent ? undefined : 'dimmed'}>{agent?.name ?? 'nobody'}</Text>,
  },
  { key: 'due', title: 'Due', width: 120, csv: ({ dueAt }) => dueAt ?? '', cell: (one) => <Due of={one} /> },
  {
    key: 'created',
    title: 'Given',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

const views: readonly View[] = [
  { name: 'To decide', filters: { type: ['dispute'], status: ['open', 'in-progress'] } },
  { name: 'Late', filters: { overdue: ['true'] } },
]

export default function FeedbacksScreen() {
  const paths = usePaths()
  const list = useList(qcApi.feedbacks, { filters: ['search', 'status', 'type', 'overdue'] })
  return (
    <Screen scroll={false} count={listCount(list)} tabs={<Views name="qc-feedbacks" list={list} views={views} />}>
      <ListTable
        name="qc-feedbacks"
        noun={['feedback', 'feedbacks']}
        list={list}
        columns={columns}
        card={(one) => (
          <>
            <Text truncate dir="auto">
              {one.content}
            </Text>
            <Text c="dimmed" fz="xs">
              {types[one.type]} of {one.createdBy.name}
              {isLate(one) && ', late'}
            </Text>
          </>
        )}
        label={({ content }) => content}
        open={({ id, kind }) => rowPath(paths.feedback[kind], id)}
        search={{ key: 'search', placeholder: 'Text, subject or id' }}
        filters={[
          {
            key: 'status',
            label: 'Status',
            options: ['open', 'in-progress', 'answered', 'closed'].map((value) => ({
              value,
              label: caseState(value).label,
            })),
          },
          { key: 'type', label: 'Type', options: Object.entries(types).map(([value, label]) => ({ value, label })) },
          lateFilter,
        ]}
        empty={{
          title: 'No feedback yet',
          text: 'Agents, customers and reviewers give feedback on a review or a conversation.',
          tag: 'FB',
        }}
      />
    </Screen>
  )
}
