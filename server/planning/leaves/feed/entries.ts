import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { addDays, type Day } from '../../calendar/days.ts'
import { dayIn, lastDayIn } from '../../calendar/times.ts'

/** A shift or an event in the calendar feed. */
export interface WorkEntry {
  uid: string
  version: number
  title: string
  location: string | null
  start: Date
  end: Date
  allDay: boolean
  /** True: confirmed. False: tentative. */
  isSure: boolean
  /** True: the person is free at that time, as on holidays. */
  isFree?: boolean
  createdAt: Date
  updatedAt: Date
}

interface Stored {
  uid: string
  version: number
  title: string
  location: string | null
  startsAt: string | Date
  endsAt: string | Date
  /** Time zone of an all-day event; null for an event with times. */
  zone: string | null
  isSure: boolean
  createdAt: string | Date
  updatedAt: string | Date
}

/**
 * Shifts and events of a person since a day, without draft shifts and without events that the person declined or has
 * not answered.
 */
export async function workEntries(db: Db, userId: number, since: Day): Promise<WorkEntry[]> {
  const found = await rows<Stored>(
    db,
    sql`select 'shift-' || s.shift_id as uid, s.version, s.name as title, null as location, s.starts_at as "startsAt",
        s.ends_at as "endsAt", null as zone, true as "isSure", s.created_at as "createdAt", s.updated_at as "updatedAt"
      from shifts s where s.user_id = ${userId} and s.deleted_at is null and s.status = 'published' and s.date >= ${since}::date
      union all
      select 'event-' || e.event_id, e.version, e.title, e.location, e.starts_at, e.ends_at,
        case when e.all_day then e.time_zone end, a.rsvp = 'accepted', e.created_at, e.updated_at
      from attendants a join events e on e.event_id = a.event_id and e.deleted_at is null
      where a.user_id = ${userId} and a.rsvp in ('accepted', 'tentative') and e.ends_at >= ${since}::date
      order by "startsAt", uid`,
  )
  return found.map(({ zone, startsAt, endsAt, ...entry }) => ({
    ...entry,
    ...(zone === null
      ? { start: new Date(startsAt), end: new Date(endsAt) }
      : {
          start: new Date(dayIn(isoOf(startsAt), zone)),
          end: new Date(addDays(lastDayIn(isoOf(endsAt), zone), 1)), // RFC 5545: DTEND is exclusive
        }),
    allDay: zone !== null,
    createdAt: new Date(entry.createdAt),
    updatedAt: new Date(entry.updatedAt),
  }))
}

/** Entries of a feed that other domains have, as the address of the feed chooses them. */
export type FeedSource = (
  db: Db,
  owner: { id: number; departmentId: number | null },
  wanted: { since: Day; now: Date; repeatables: boolean; holidays: boolean },
) => Promise<WorkEntry[]>

let sources: readonly FeedSource[] = []

/** Sets the sources of all domains; called by `registry.ts`. */
export function useFeedSources(all: readonly FeedSource[]): void {
  sources = all
}

export const otherEntries: FeedSource = async (db, owner, wanted) => {
  const found: WorkEntry[] = []
  for (const source of sources) found.push(...(await source(db, owner, wanted)))
  return found
}
