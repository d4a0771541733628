import type { LeaveCancellation, LeaveRequest } from '@innkeeper/contract/leaves'
import { todayIn } from '../calendar/places.ts'
import type { Db } from '../kit/db/db.ts'
import { notify } from '../notifications/notify.ts'
import { days } from './checkRequest.ts'
import { type ReviewScope, readLists, whomToTell } from './deciders.ts'

/** `Paid leave, 1 Dec 2026 to 4 Dec 2026, 4 days`, and what was said with it: ` – Have a good time`; notices show it in one line. */
function wordsOf({ typeName, startDate, endDate, days: count }: LeaveRequest, said?: string | null): string {
  const when = startDate === endDate ? plain(startDate) : `${plain(startDate)} to ${plain(endDate)}`
  return `${typeName}, ${when}, ${days(count * 2)}${said ? ` – ${said}` : ''}`
}

const plain = (date: string) =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A request, or with one a cancellation, waits: whoever decides hears of it at once. */
export async function tellApprovers(
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

/** What became of it, to whose leave it is. */
export async function tellPerson(db: Db, leave: LeaveRequest, title: string, isGood: boolean, comment: string | null) {
  await notify(db, {
    to: [leave.userId],
    reason: 'leave',
    level: isGood ? 'success' : 'warning',
    title,
    body: wordsOf(leave, comment),
    link: `/leaves/my?leave=${leave.id}`,
  })
}
