import type { Shift } from '@innkeeper/contract/shifts'
import type { Staff } from '../kit/access/sessions.ts'
import type { Db } from '../kit/db/db.ts'
import { notify } from '../notifications/notify.ts'

const form = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const short = (date: string) => form.format(new Date(`${date}T00:00:00Z`)).replace(',', '')

const titleOf = {
  planned: (n: number, first: string) => (n === 1 ? `Your shift: ${first}` : `${n} shifts are planned for you`),
  'taken back': (n: number, first: string) =>
    n === 1 ? `No longer final:  ${first}` : `${n} of your shifts are no longer final`,
}

/** Notifies people of future shifts that were planned for them or taken back, except the person who made the change. */
export async function tellOfShifts(
  db: Db,
  shifts: readonly Shift[],
  by: Staff,
  what: 'planned' | 'taken back' = 'planned',
): Promise<void> {
  const ahead = shifts.filter(({ endsAt, userId }) => userId !== by.id && Date.parse(endsAt) > Date.now())
  for (const [userId, theirs] of Map.groupBy(ahead, (shift) => shift.userId)) {
    const [first] = theirs
    if (userId === null || !first) continue
    const text = ({ name, date, startTime, endTime }: Shift) => `${name} ${startTime}–${endTime} on ${short(date)}`
    const more = theirs.length - 5
    await notify(db, {
      to: [userId],
      reason: 'shifts',
      title: titleOf[what](theirs.length, text(first)),
      body: `${theirs.slice(0, 5).map(text).join('; ')}${more > 0 ? `; and ${more} more` : ''}. ${what === 'planned' ? 'Planned' : 'Taken back'} by ${by.name}.`,
      link: '/calendar/shifts',
    })
  }
}
