import type { LeaveCancellation, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { notify } from '../../../access/notifications/notify.ts'
import type { Db } from '../../../kit/db/db.ts'
import { todayIn } from '../../calendar/places.ts'
import { type ReviewScope, readLists, whomToTell } from './deciders.ts'
import { days } from './problems.ts'

/**
 * Text of a notice in one line: `Paid leave, 1 Dec 2026 to 4 Dec 2026, 4 days`, with a comment ` – Have a good time`.
 */
function wordsOf({ typeName, startDate, endDate, days: count }: LeaveRequest, said?: string | null): string {
  const when = startDate === endDate ? plain(startDate) : `${plain(startDate)} to ${plain(endDate)}`
  return `${typeName}, ${when}, ${days(count * 2)}${said ? ` – ${said}` : ''}`
}

const plain = (date: string) =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Notifies the approvers of a request or, with `cancellation`, of a cancellation. */
export async function notifyApprovers(
  db: Db,
  leave: LeaveRequest,
  now: Date,
  cancellation?: Pick<LeaveCancellation, 'reason'>,
): Promise<void> {
  const scope: ReviewScope = cancellation ? 'calendar:leave:review-cancellation' : 'calendar:leave:review'
  const lists = await readLists(db, await todayIn(db, now))
  await notify(db, {
    to: await whomToTell(db, lists, leave, scope),
    reason: 'leave',
    title: cancellation ? `${leave.userName} asks to cancel a leave` : `${leave.userName} asks for leave`,
    body: wordsOf(leave, cancellation?.reason),
    link: `/leaves/all?leave=${leave.id}`,
  })
}

/** Notifies a person of the decision about their leave. */
export async function notifyPerson(
  db: Db,
  leave: LeaveRequest,
  title: string,
  isGood: boolean,
  comment: string | null,
) {
  await notify(db, {
    to: [leave.userId],
    reason: 'leave',
    level: isGood ? 'success' : 'warning',
    title,
    body: wordsOf(leave, comment),
    link: `/leaves/my?leave=${leave.id}`,
  })
}
