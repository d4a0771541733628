import type { LeaveRequest, LeaveStatus } from '@innkeeper/contract/planning/leaves/calls'
import { stateOf } from '../../../kit/look/stateWords.ts'
import type { TimelineEntry } from '../../../kit/timeline/Timeline.tsx'
import { leaveTexts } from '../texts.ts'

interface Asked {
  createdAt: string
  status: LeaveStatus
  reason: string | null
  reviewedAt: string | null
  reviewedByName: string | null
  comment: string | null
}

/** History of a leave, oldest entry first: the request, then the latest cancellation. */
export function historyOf(leave: LeaveRequest): TimelineEntry[] {
  const { requested, cancellationRequested } = leaveTexts()
  return [
    ...steps('request', requested, leave),
    ...(leave.cancellation ? steps('cancellation', cancellationRequested, leave.cancellation) : []),
  ]
}

/** What was decided about a request or a cancellation; a withdrawn one is cancelled. */
function decisionOf(id: string, status: LeaveStatus): string {
  const words = leaveTexts()
  if (id === 'request') return words[status]
  const { cancellationApproved: approved, cancellationRejected: rejected, cancellationPending: pending } = words
  return { approved, rejected, pending, cancelled: words.cancelled }[status]
}

function steps(id: string, title: string, asked: Asked): TimelineEntry[] {
  const { createdAt, status, reason, reviewedAt, reviewedByName, comment } = asked
  const { word: _, ...mark } = stateOf(status)
  return [
    { id, at: createdAt, title, note: reason },
    ...(reviewedAt
      ? [
          {
            id: `${id}-decided`,
            at: reviewedAt,
            mark,
            title: decisionOf(id, status),
            note: [reviewedByName && leaveTexts().by(reviewedByName), comment].filter(Boolean).join(' · '),
          },
        ]
      : []),
  ]
}
