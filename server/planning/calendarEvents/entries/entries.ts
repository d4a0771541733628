import type { CalendarEntry, EntryKind } from '@innkeeper/contract/planning/calendarEvents/entry'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { nationalDays, readOwnRules } from '../../calendar/nationalDays.ts'
import { readPlaces } from '../../calendar/places.ts'
import { addMinutes, dayIn, endOfDay, instantOf, lastDayIn, startOfDay } from '../../calendar/times.ts'
import { heldDays } from '../repeatables/occurrences.ts'
import { readChanges } from '../repeatables/view.ts'
import { attendants, events, repeatableEvents } from '../tables.ts'
import { repeatablesVisibleTo, type Viewer, visibleTo } from '../visible.ts'
import { birthdaysBetween } from './birthdays.ts'
import { blank, type Source, type Window } from './source.ts'
import { leaveEntries, shiftEntries } from './workEntries.ts'

const eventEntries: Source = async (db, { from, to, zone, staff, type }) => {
  const start = startOfDay(from, zone)
  const end = endOfDay(to, zone)
  const found = await db
    .select({ event: events, myRsvp: attendants.rsvp })
    .from(events)
    .leftJoin(attendants, and(eq(attendants.eventId, events.id), eq(attendants.userId, staff.id)))
    .where(
      // all-day events are in their own zone: extends the range by a day on both sides; days outside are dropped below
      sql`${visibleTo(staff)} and tstzrange(${events.startsAt}, ${events.endsAt})
        && tstzrange(${start}::timestamptz - interval '1 day', ${end}::timestamptz + interval '1 day')
        ${type ? sql`and ${events.type} in ${type}` : sql``}`,
    )
    .orderBy(events.startsAt, events.id)
  return found.map(({ event, myRsvp }) => ({
    ...blank,
    ...{ key: `event-${event.id}`, kind: 'event' as const, id: event.id, title: event.title, type: event.type },
    ...{ location: event.location, myRsvp },
    ...shown(event, zone),
  }))
}

/** Days of an event in the zone of the view; all-day events keep the days of their own zone. */
function shown(
  { startsAt, endsAt, allDay, timeZone }: { startsAt: string; endsAt: string; allDay: boolean; timeZone: string },
  zone: string,
): Pick<CalendarEntry, 'from' | 'to' | 'startsAt' | 'endsAt'> {
  if (allDay) return { from: dayIn(startsAt, timeZone), to: lastDayIn(endsAt, timeZone), startsAt: null, endsAt: null }
  return { from: dayIn(startsAt, zone), to: lastDayIn(endsAt, zone), startsAt, endsAt }
}

type Seen = Omit<Window, 'staff'> & { staff: Viewer }

export const repeatableEntries = async (db: Db, { from, to, zone, staff, type }: Seen): Promise<CalendarEntry[]> => {
  const found = await db
    .select()
    .from(repeatableEvents)
    .where(
      sql`${repeatablesVisibleTo(staff)} and ${repeatableEvents.startLocal} < ${addDays(to, 2)}
        ${type ? sql`and ${repeatableEvents.type} in ${type}` : sql``}`,
    )
    .orderBy(repeatableEvents.id)
  if (!found.length) return []
  const ids = found.map(({ id }) => id)
  const changes = Map.groupBy(await readChanges(db, ids), ({ repeatableEventId }) => repeatableEventId)
  return found.flatMap((event) => {
    const otherwise = changes.get(event.id) ?? []
    const moved = new Set(otherwise.map(({ occurrence }) => occurrence))
    const reach = Math.ceil(event.durationMin / 1440) + 1 // days before the view on which a running event can begin
    const days = heldDays(event, addDays(from, -reach), addDays(to, 1)).filter((day) => !moved.has(day))
    const asRuled = days.map((occurrence) => ({
      occurrence,
      title: null,
      startLocal: null,
      durationMin: null,
      location: null,
    }))
    return [...asRuled, ...otherwise].map((day): CalendarEntry => {
      const local = day.startLocal ?? `${day.occurrence}${event.startLocal.slice(10)}`
      const startsAt = instantOf(local, event.timeZone)
      const minutes = day.durationMin ?? event.durationMin
      const endsAt = event.allDay
        ? startOfDay(addDays(local.slice(0, 10), Math.ceil(minutes / 1440)), event.timeZone)
        : addMinutes(startsAt, minutes)
      return {
        ...blank,
        ...{ key: `repeatable-${event.id}-${day.occurrence}`, kind: 'repeatable', id: event.id, type: event.type },
        ...{ title: day.title ?? event.title, location: day.location ?? event.location, occurrence: day.occurrence },
        ...shown({ startsAt, endsAt, allDay: event.allDay, timeZone: event.timeZone }, zone),
      }
    })
  })
}

export const nationalEntries = async (db: Db, { from, to, staff }: Seen): Promise<CalendarEntry[]> => {
  const place = (await readPlaces(db))(staff.departmentId)
  const days = await nationalDays(place, await readOwnRules(db), { from, to })
  return days.map(
    ({ date, name, substitute, free, nationalEventId }, n): CalendarEntry => ({
      ...blank,
      ...{ key: `national-${date}-${n}`, kind: 'national', id: nationalEventId, from: date, to: date, free },
      title: substitute ? `${name} (day in lieu)` : name,
    }),
  )
}

const birthdayEntries: Source = async (db, window) =>
  (await birthdaysBetween(db, window)).map(({ userId, userName, date }) => ({
    ...blank,
    ...{ key: `birthday-${userId}-${date}`, kind: 'birthday', id: userId, title: userName, from: date, to: date },
  }))

/** Sources by kind of entry. */
const sources: Record<EntryKind, Source> = {
  national: nationalEntries,
  event: eventEntries,
  repeatable: repeatableEntries,
  birthday: birthdayEntries,
  shift: shiftEntries,
  leave: leaveEntries,
}

/** All entries of these kinds that the viewer may see; all-day entries first, then by time. */
export async function readEntries(
  db: Db,
  window: Window,
  kinds: readonly EntryKind[] | undefined,
): Promise<CalendarEntry[]> {
  const found: CalendarEntry[] = []
  for (const [kind, source] of Object.entries(sources) as [EntryKind, Source][]) // the keys of the constant above
    if (!kinds || kinds.includes(kind)) found.push(...(await source(db, window)))
  return found
    .filter(({ from, to }) => from <= window.to && to >= window.from)
    .sort((a, b) => a.from.localeCompare(b.from) || (a.startsAt ?? '').localeCompare(b.startsAt ?? ''))
}
