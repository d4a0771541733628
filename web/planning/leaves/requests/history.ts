import type { LeaveRequest, LeaveStatus } from '@innkeeper/contract/planning/leaves/calls'
import { stateOf } from '../../../kit/look/stateWords.ts'
import type { TimelineEntry } from '../../../kit/timeline/Timeline.tsx'

interface Asked {
  createdAt: string
  status: LeaveStatus
  reason: string | null
  reviewedAt: string | null
  reviewedByName: string | null
  comment: string | null
}

/** History of a leave, oldest entry first: the request, then the latest cancellation. */
export const historyOf = (leave: LeaveRequest): TimelineEntry[] => [
  ...steps('request', 'Requested', leave),
  ...(leave.cancellation ? steps('cancellation', 'Cancellation requested', leave.cancellation) : []),
]

function steps(id: string, title: string, asked: Asked): TimelineEntry[] {
  const { createdAt, status, reason, reviewedAt, reviewedByName, comment } = asked
  const { word, ...mark } = stateOf(status)
  return [
    { id, at: createdAt, title, note: reason },
    ...(reviewedAt
      ? [
          {
            id: `${id}-decided`,
            at: reviewedAt,
            mark,
            title: id === 'request' ? word : `Cancellation ${word.toLowerCase()}`,
            note: [reviewedByName && `by ${reviewedByName}`, comment].filter(Boolean).join(' · '),
          },
        ]
      : []),
  ]
}
