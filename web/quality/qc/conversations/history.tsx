import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { counted } from '../../../kit/look/format.ts'
import { isolated } from '../../../kit/look/isolated.ts'
import type { TimelineEntry } from '../../../kit/timeline/Timeline.tsx'
import { outcomeNames, scoreText } from '../words.ts'

const prose = (text: string) => (
  <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {text}
  </Text>
)

const disputeEnd = (outcome: ConversationPage['feedbacks'][number]['outcome']) =>
  outcome === 'withdrawn'
    ? 'Dispute withdrawn'
    : `Dispute decided${outcome ? `: ${outcomeNames[outcome].toLowerCase()}` : ''}`

/** The conversation, its reviews, escalations and feedback with their outcomes, comments and notes, newest first. */
export function historyOf(page: ConversationPage): TimelineEntry[] {
  const { reviews, comments, escalations, feedbacks } = page
  const entries: TimelineEntry[] = [
    {
      ...{ id: 'conversation', at: page.startedAt, title: `The ${page.kind} began` },
      note: [page.customerName && isolated(page.customerName), counted(page.messages, ['message', 'messages'])]
        .filter(Boolean)
        .join(', '),
    },
    ...reviews.map(({ id, submittedAt: at, reviewer, agent, score }) => ({
      ...{ id: `r${id}`, at, title: `Reviewed: ${agent.name}, ${scoreText(score)}`, note: reviewer.name },
    })),
    ...escalations.map(({ id, createdAt: at, reason, createdBy }) => ({
      ...{ id: `e${id}`, at, title: `Escalated: ${reason}`, note: createdBy.name },
    })),
    ...escalations.flatMap(({ id, reviewedAt: at, reviewedBy }) =>
      at === null ? [] : [{ id: `e${id} reviewed`, at, title: 'Escalation reviewed', note: reviewedBy?.name ?? '' }],
    ),
    ...feedbacks.map(({ id, createdAt: at, content, createdBy, type }) => ({
      ...{ id: `f${id}`, at, title: type === 'dispute' ? 'Dispute' : 'Feedback', note: createdBy.name },
      children: prose(content),
    })),
    ...feedbacks.flatMap(({ id, answeredAt: at, answeredBy, answer, type, outcome }) =>
      at === null
        ? []
        : [
            {
              ...{ id: `f${id} answered`, at, note: answeredBy?.name ?? '' },
              title: type === 'dispute' ? disputeEnd(outcome) : 'Feedback answered',
              children: prose(answer),
            },
          ],
    ),
    ...comments.map(({ id, createdAt: at, content, author, type, editedAt }) => ({
      ...{
        id: `c${id}`,
        at,
        title: type === 'note' ? 'Note' : 'Comment',
        note: `${isolated(author.name)}${editedAt ? ', edited' : ''}`,
      },
      children: prose(content),
    })),
  ]
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}
