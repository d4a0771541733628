import type { LeaveCancellation, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { notify } from '../../../access/notifications/notify.ts'
import { spokenNotice } from '../../../kit/app/notice.ts'
import type { Db } from '../../../kit/db/db.ts'
import { todayIn } from '../../calendar/places.ts'
import { daysText, kindText, leaveTexts, spanText } from '../texts.ts'
import { type ReviewScope, readLists, whomToTell } from './deciders.ts'

/**
 * Text of a notice in one line: `Paid leave, 1 Dec 2026 to 4 Dec 2026, 4 days`, with a comment ` – Have a good time`.
 */
const wordsOf = ({ typeCode, typeName, startDate, endDate, days }: LeaveRequest, said?: string | null): string =>
  `${kindText(typeCode, typeName)}, ${spanText(startDate, endDate)}, ${daysText(days * 2)}${said ? ` – ${said}` : ''}`

/** Notifies the approvers of a request or, with `cancellation`, of a cancellation. */
export async function notifyApprovers(
  db: Db,
  leave: LeaveRequest,
  now: Date,
  cancellation?: Pick<LeaveCancellation, 'reason'>,
): Promise<void> {
  const scope: ReviewScope = cancellation ? 'calendar:leave:review-cancellation' : 'calendar:leave:review'
  const lists = await readLists(db, await todayIn(db, now))
  const to = await whomToTell(db, lists, leave, scope)
  const notice = spokenNotice({ to, reason: 'leave', link: `/leaves/all?leave=${leave.id}` }, () => ({
    title: cancellation ? leaveTexts().asksToCancel(leave.userName) : leaveTexts().asksForLeave(leave.userName),
    body: wordsOf(leave, cancellation?.reason),
  }))
  await notify(db, notice)
}

/** Notifies a person of the decision about their leave. */
export async function notifyPerson(
  db: Db,
  leave: LeaveRequest,
  title: () => string,
  isGood: boolean,
  comment: string | null,
) {
  const to = { to: [leave.userId], link: `/leaves/my?leave=${leave.id}` }
  const notice = { ...to, reason: 'leave', level: isGood ? 'success' : 'warning' } as const
  await notify(
    db,
    spokenNotice(notice, () => ({ title: title(), body: wordsOf(leave, comment) })),
  )
}
