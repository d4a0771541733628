import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import { Text } from '@mantine/core'
import type { TimelineEntry } from '../../kit/timeline/Timeline.tsx'
import { scoreText } from '../words.ts'

/** Reviews, escalations, feedback, comments and notes, the newest first. */
export function historyOf({ reviews, comments, escalations, feedbacks }: ConversationPage): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...reviews.map(({ id, submittedAt: at, reviewer, agent, score }) => ({
      ...{ id: `r${id}`, at, title: `Reviewed: ${agent.name}, ${scoreText(score)}`, note: reviewer.name },
    })),
    ...escalations.map(({ id, createdAt: at, reason, createdBy, status }) => ({
      ...{ id: `e${id}`, at, title: `Escalated: ${reason}`, note: `${createdBy.name}, ${status}` },
    })),
    ...feedbacks.map(({ id, createdAt: at, content, createdBy, type, status }) => ({
      ...{ id: `f${id}`, at, title: type === 'dispute' ? 'Dispute' : 'Feedback', note: `${createdBy.name}, ${status}` },
      children: <Text dir="auto">{content}</Text>,
    })),
    ...comments.map(({ id, createdAt: at, content, author, type, editedAt }) => ({
      ...{
        id: `c${id}`,
        at,
        title: type === 'note' ? 'Note' : 'Comment',
        note: `${author.name}${editedAt ? ', edited' : ''}`,
      },
      children: (
        <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {content}
        </Text>
      ),
    })),
  ]
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}
