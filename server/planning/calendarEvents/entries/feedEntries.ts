import { holdersOf } from '../../../access/notifications/holders.ts'
import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { readPlaces } from '../../calendar/places.ts'
import type { FeedSource, WorkEntry } from '../../leaves/feed/entries.ts'
import { nationalEntries, repeatableEntries } from './entries.ts'

/** Days ahead in the feed: repeatable events have no end. */
const AHEAD = 400

/** Repeatable events that the owner of a feed may see, and holidays of the owner's workplace, as chosen. */
export const feedEntries: FeedSource = async (db: Db, { id, departmentId }, { since, now, repeatables, holidays }) => {
  const zone = (await readPlaces(db))(departmentId).timeZone
  // an administrator's feed has the person's own events, not those of every department
  const staff = { id, departmentId, isAdmin: false }
  const window = { from: since, to: addDays(now.toISOString().slice(0, 10), AHEAD), zone, staff }
  const maySee = repeatables && (await holdersOf(db, 'calendar:event:read')).includes(id)
  const events = maySee ? await repeatableEntries(db, window) : []
  const days = holidays ? (await nationalEntries(db, window)).filter(({ free }) => free) : []
  return [...events, ...days]
    .filter(({ from, to }) => from <= window.to && to >= window.from)
    .map(
      ({ key, kind, title, location, from, to, startsAt, endsAt }): WorkEntry => ({
        ...{ uid: key, version: 1, title, location, isSure: true, isFree: kind === 'national' },
        ...(startsAt && endsAt
          ? { start: new Date(startsAt), end: new Date(endsAt), allDay: false }
          : { start: new Date(from), end: new Date(addDays(to, 1)), allDay: true }), // RFC 5545: DTEND is exclusive
        ...{ createdAt: now, updatedAt: now },
      }),
    )
}
