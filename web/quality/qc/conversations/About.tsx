import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Group, Stack, Text } from '@mantine/core'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ago, moment } from '../../../kit/look/format.ts'
import { isolated } from '../../../kit/look/isolated.ts'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import css from '../qc.module.css'
import { ReviewActs } from '../reviews/ReviewActs.tsx'
import { ScoreLines } from '../reviews/ScoreLines.tsx'
import { TagChip } from '../TagChip.tsx'
import { scoreText } from '../words.ts'
import { State } from './columns.tsx'
import { historyOf } from './history.tsx'

const CommentOn = lazyPart(
  () => import('./CommentOn.tsx'),
  () => null,
)

const ChecksOf = lazyPart(
  () => import('../checks/ChecksOf.tsx'),
  () => null,
)

const DeletedReview = lazyPart(
  () => import('../reviews/DeletedReview.tsx'),
  () => null,
)

/** A conversation beside its messages: facts, reviews, and one timeline of all events. */
export default function About({ page, kind }: { page: ConversationPage; kind: Kind }) {
  return (
    <Stack gap={16} className={css.below}>
      <Facts
        of={[
          ['Status', <State key="status" row={page} />],
          ['Agents', page.agents.map(({ name }) => name).join(', ') || 'unknown'],
          [
            'Customer',
            [page.customerName && isolated(page.customerName), page.customerEmail].filter(Boolean).join(', ') ||
              'unknown',
          ],
          ['Source', `${page.sourceName} ${page.externalId}`],
          ['Began', moment(page.startedAt)],
          ...(page.reopenedSince
            ? [['Reopened', `Messages after ${moment(page.reopenedSince)} are not reviewed`] as [string, string]]
            : []),
          ['Rating', page.csat === null ? 'none' : String(page.csat)],
          [
            'Tags',
            <Group key="tags" gap={4}>
              {page.tags.length ? page.tags.map((tag) => <TagChip key={tag.id} {...tag} />) : 'none'}
            </Group>,
          ],
        ]}
        width={96}
      />
      {page.reviews.map((review) => (
        <Section
          key={review.id}
          title={`${review.agent.name}: ${scoreText(review.score)}`}
          hint={`${review.reviewer.name}, ${ago(review.submittedAt)}${review.since ? `, since ${moment(review.since)}` : ''}`}
        >
          <ScoreLines scores={review.scores} />
          {review.agentReason && <Text c="dimmed">Did not write here: {review.agentReason}</Text>}
          {review.comment && <Text dir="auto">{review.comment}</Text>}
          <ReviewActs kind={kind} review={review} page={page} />
        </Section>
      ))}
      {page.deletedReviews.map((review) => (
        <DeletedReview key={review.id} kind={kind} review={review} />
      ))}
      {page.checks && <ChecksOf page={page} />}
      <Section title="History">
        <Timeline label="History" entries={historyOf(page)} />
      </Section>
      <CommentOn page={page} kind={kind} />
    </Stack>
  )
}
