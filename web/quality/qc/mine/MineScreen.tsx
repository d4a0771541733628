import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FigureRow } from '../../../kit/charts/FigureRow.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago, count } from '../../../kit/look/format.ts'
import { qcMineApi } from '../api.ts'
import { scoreText } from '../words.ts'

type Row = Review & { externalId: string; subject: string }

const columns: readonly Column<Row>[] = [
  {
    key: 'subject',
    title: 'Conversation',
    csv: ({ subject, externalId }) => subject || externalId,
    cell: ({ id, subject, externalId, kind }) => (
      <NameCell below={`${kind} ${externalId}`}>
        <LinkTo to="/qc-v2/mine/review" search={{ review: String(id) }} dir="auto">
          {subject || externalId}
        </LinkTo>
      </NameCell>
    ),
  },
  {
    key: 'score',
    title: 'Score',
    width: 90,
    align: 'right',
    csv: ({ score }) => score ?? '',
    cell: ({ score }) => <span className="num">{scoreText(score)}</span>,
  },
  {
    key: 'comment',
    title: 'Comment',
    csv: ({ comment }) => comment,
    cell: ({ comment }) => (
      <Text truncate c="dimmed" dir="auto">
        {comment}
      </Text>
    ),
  },
  {
    key: 'reviewer',
    title: 'Reviewer',
    width: 170,
    csv: ({ reviewer }) => reviewer.name,
    cell: (row) => row.reviewer.name,
  },
  {
    key: 'submittedAt',
    title: 'Reviewed',
    sort: 'submittedAt',
    width: 130,
    csv: ({ submittedAt }) => submittedAt,
    cell: ({ submittedAt }) => <Text c="dimmed">{ago(submittedAt)}</Text>,
  },
]

/** Reviews of the reader's own work. */
export default function MineScreen() {
  const list = useList(qcMineApi.ownReviews, {})
  const { data } = useQuery(qcMineApi.ownFigures.query({}))
  return (
    <Screen scroll={false} count={listCount(list)}>
      <Stack gap={16} style={{ flex: 1, minHeight: 0 }}>
        {data && data.n > 0 && (
          <FigureRow
            figures={[
              { label: 'Mean score', value: scoreText(data.mean), of: `n ${count(data.n)}` },
              { label: 'Spread', value: scoreText(data.spread), hint: 'standard deviation' },
              {
                label: 'Last week',
                value: scoreText(data.periods.at(-1)?.mean ?? null),
                hint: data.periods.at(-1)?.period,
              },
              { label: 'Failed', value: count(data.failed), hint: 'a critical type at 0' },
            ]}
          />
        )}
        <ListTable
          name="qc-mine"
          noun={['review', 'reviews']}
          list={list}
          columns={columns}
          card={({ id, subject, externalId, score, submittedAt }) => (
            <>
              <LinkTo to="/qc-v2/mine/review" search={{ review: String(id) }} fw={450} truncate dir="auto">
                {subject || externalId}
              </LinkTo>
              <Text c="dimmed" fz="xs">
                {scoreText(score)}, {ago(submittedAt)}
              </Text>
            </>
          )}
          label={({ subject, externalId }) => subject || externalId}
          empty={{
            title: 'No review of your work yet',
            text: 'When a colleague has reviewed one of your chats or tickets, you see the scores and their reasons here.',
            tag: 'MQ',
          }}
        />
      </Stack>
    </Screen>
  )
}
