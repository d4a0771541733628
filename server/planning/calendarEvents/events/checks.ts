import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { attendants } from '../tables.ts'
import { linkTo, whenInWords } from '../words.ts'
import { type EventRow, readEvent } from './view.ts'

export const isOver = ({ endsAt }: EventRow, now: Date) => Date.parse(endsAt) <= now.getTime()

export async function checkVersion(
  { db, staff }: Context,
  event: EventRow,
  version: number | undefined,
): Promise<void> {
  if (version !== undefined && version !== event.version)
    throw conflict(`${event.title} was changed by somebody else meanwhile`, {
      current: await readEvent(db, event.id, staff),
    })
}
/** Refuses a capacity below the number of accepted attendants: somebody has to be removed from the list first. */
export async function checkCapacity({ db, staff }: Context, { id }: EventRow, capacity: number | null | undefined) {
  if (capacity === undefined || capacity === null) return
  const { accepted } = await readEvent(db, id, staff)
  if (capacity < accepted)
    throw refused(`${accepted} people have accepted already`, {
      capacity: `At least ${accepted}: so many have accepted`,
    })
}
/** People to notify of changes: those who accepted, may come or wait, except the caller. */
export async function peopleOf({ db, staff }: Context, eventId: number): Promise<number[]> {
  const found = await db
    .select({ userId: attendants.userId })
    .from(attendants)
    .where(and(eq(attendants.eventId, eventId), inArray(attendants.rsvp, ['accepted', 'tentative', 'waitlisted'])))
  return found.map(({ userId }) => userId).filter((id) => id !== staff.id)
}
export async function notifyChanges(context: Context, before: EventRow, after: EventRow): Promise<void> {
  const was = whenInWords(before)
  const is = whenInWords(after)
  const hasMoved = was !== is || before.location !== after.location
  if (!hasMoved || isOver(after, context.now)) return
  const place = after.location && before.location !== after.location ? ` Now at ${after.location}.` : ''
  await notify(context.db, {
    to: await peopleOf(context, after.id),
    reason: 'events',
    title: `Changed: ${after.title}`,
    body: was === is ? `${is}.${place}` : `Now ${is}; it was ${was}.${place}`,
    link: linkTo(after.id),
  })
}
