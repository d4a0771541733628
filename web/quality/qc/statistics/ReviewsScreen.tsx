import type { ReviewLine } from '@innkeeper/contract/quality/qc/statistics'
import { Text } from '@mantine/core'
import { departmentsApi } from '../../../access/departments/api.ts'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcChatsApi, qcStatisticsApi, qcTicketsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { populationNames, scoreText } from '../words.ts'
import { kindChoice, useTypeChoice } from './useAsked.tsx'

const columns: readonly Column<ReviewLine>[] = [
  {
    key: 'subject',
    title: 'Conversation',
    csv: ({ subject, externalId }) => subject || externalId,
    cell: ({ subject, externalId, kind }) => (
      <NameCell below={`${kind} ${externalId}`}>
        <RowName>
          <span dir="auto">{subject || externalId}</span>
        </RowName>
      </NameCell>
    ),
  },
  { key: 'agent', title: 'Agent', width: 170, csv: ({ agent }) => agent.name, cell: ({ agent }) => agent.name },
  {
    key: 'reviewer',
    title: 'Reviewer',
    width: 170,
    csv: ({ reviewer }) => reviewer.name,
    cell: (row) => row.reviewer.name,
  },
  {
    key: 'population',
    title: 'Chosen',
    width: 150,
    csv: ({ population }) => population,
    cell: ({ population }) => <Text c="dimmed">{populationNames[population]}</Text>,
  },
  {
    key: 'score',
    title: 'Score',
    width: 110,
    align: 'right',
    csv: ({ score }) => score ?? '',
    cell: ({ score, isFailed }) =>
      isFailed ? <StatusBadge state="failed" label="Failed" /> : <span className="num">{scoreText(score)}</span>,
  },
  {
    key: 'submittedAt',
    title: 'Reviewed',
    sort: 'submittedAt',
    width: 130,
    csv: ({ submittedAt }) => submittedAt,
    cell: ({ submittedAt, deletedAt }) =>
      deletedAt ? (
        <NameCell below={`Deleted ${ago(deletedAt)}`}>{ago(submittedAt)}</NameCell>
      ) : (
        <Text c="dimmed">{ago(submittedAt)}</Text>
      ),
  },
]

/** The reviews behind a bar or a row of the statistics. */
export default function ReviewsScreen() {
  const paths = usePaths()
  const lacking = useReason()
  const maySeeDeleted = !lacking(qcChatsApi.restoreReview) || !lacking(qcTicketsApi.restoreReview)
  const filters = [
    'from',
    'to',
    'agent',
    'department',
    'reviewer',
    'population',
    'scoreType',
    'scoreFrom',
    'scoreBelow',
    'failed',
    'kind',
    'deletedOnly',
  ] as const
  const list = useList(qcStatisticsApi.reviews, { filters })
  const types = useTypeChoice()
  const typed = (key: string, label: string, as: 'text' | 'day' = 'text') => ({ key, label, options: [], typed: as })
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="qc-statistics-reviews"
        noun={['review', 'reviews']}
        list={list}
        columns={columns}
        card={({ subject, externalId, agent, score }) => (
          <>
            <Text fw={450} truncate dir="auto">
              {subject || externalId}
            </Text>
            <Text c="dimmed" fz="xs">
              {agent.name}, {scoreText(score)}
            </Text>
          </>
        )}
        label={({ subject, externalId }) => subject || externalId}
        open={({ conversationId, kind }) => rowPath(paths[kind], conversationId)}
        filters={[
          ...(lacking(usersApi.list)
            ? []
            : [
                { key: 'agent', label: 'Agent', options: [], call: usersApi.list },
                { key: 'reviewer', label: 'Reviewer', options: [], call: usersApi.list },
              ]),
          ...(lacking(departmentsApi.list)
            ? []
            : [{ key: 'department', label: 'Department', options: [], call: departmentsApi.list }]),
          {
            key: 'population',
            label: 'Chosen',
            options: Object.entries(populationNames).map(([value, label]) => ({ value, label })),
          },
          kindChoice,
          ...types,
          { key: 'failed', label: 'Failed', single: true, options: [{ value: 'true', label: 'Failed' }] },
          ...(maySeeDeleted
            ? [{ key: 'deletedOnly', label: 'Deleted', single: true, options: [{ value: 'true', label: 'Only' }] }]
            : []),
          typed('scoreFrom', 'Score from'),
          typed('scoreBelow', 'Score below'),
          typed('from', 'From day', 'day'),
          typed('to', 'To day', 'day'),
        ]}
        empty={{ title: 'No review yet', text: 'Reviews of this time and these filters appear here.', tag: 'RV' }}
      />
    </Screen>
  )
}
