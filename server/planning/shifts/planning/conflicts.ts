import type { Conflict } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { closedText, monthOf, readClosed } from '../../calendar/closedMonths.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { isOutside, isOwnDayOff } from '../../calendar/workingDays.ts'
import { readAway } from '../roster/absences.ts'
import { byId, plans, readPeople, visibleTo } from '../roster/people.ts'
import { clockOf } from '../roster/times.ts'
import { againstWishes } from '../wishes.ts'
import type { Built } from './build.ts'
import { beyondLimits, type Limits } from './limits.ts'

/** The fields of a shift that its conflicts depend on. */
export type Wanted = Pick<
  Built,
  'userId' | 'date' | 'name' | 'startMinute' | 'endMinute' | 'breakMinutes' | 'nightSteps' | 'startsAt' | 'endsAt'
> &
  Partial<Pick<Built, 'shiftTypeId'>>
type Found = Omit<Conflict, 'name' | 'refuses'>
interface Near {
  n: number
  id: number
  version: number
  name: string
  date: string
  startMinute: number
  endMinute: number
  overlaps: boolean
  isShown: boolean
}

/**
 * Finds the conflicts of these shifts, ignoring the shifts in `removed`. Overlaps, closed months, leaves and people who
 * have left refuse the plan; short rest, holidays, own days off, long weeks, many nights in a row and wishes are warnings. By day, then by name.
 * A `reader` who is no planner learns of no shift that the roster hides from them, and of no wish of others.
 */
export async function findConflicts(
  db: Db,
  wanted: readonly Wanted[],
  removed: readonly number[],
  limits: Limits,
  reader?: Staff,
): Promise<Conflict[]> {
  const dates = wanted.map(({ date }) => date).toSorted()
  const [from] = dates
  const to = dates.at(-1)
  if (!from || !to) return []
  const isBound = reader !== undefined && !plans(reader)
  const visible = isBound ? visibleTo(reader) : sql`true`
  const ids = [...new Set(wanted.flatMap(({ userId }) => userId ?? []))]
  const people = byId(await readPeople(db, { ids }))
  const closed = await readClosed(db, from, to)
  const away = await readAway(db, ids, from, to)
  const calendars = await calendarsOfPeople(db, { userIds: ids, from, to })

  const found: Found[] = [
    ...wanted.flatMap((shift): Found[] => {
      const { userId, date, startMinute, endMinute } = shift
      const say = (kind: Conflict['kind'], text: string): Found => ({
        userId,
        date,
        kind,
        text,
        shiftId: null,
        version: null,
      })
      if (closed.has(monthOf(date))) return [say('closed', closedText(date))]
      if (userId === null) return []
      if (!people.has(userId)) return [say('gone', 'has left')]
      const calendar = calendars.get(userId)! // the map has all requested people
      if (isOutside(calendar, date))
        return [say('gone', calendar.lastDay && date > calendar.lastDay ? 'has left by then' : 'has not begun by then')]
      const holiday = calendar.holidays.find((day) => day.date === date)
      return [
        ...(isOwnDayOff(calendar, date) ? [say('dayOff', `does not work on ${weekdays.format(noonOf(date))}s`)] : []),
        ...(away.at(userId, date, startMinute, endMinute) ? [say('leave', `is on leave on ${short(date)}`)] : []),
        ...(holiday ? [say('holiday', `has a holiday on ${short(date)}: ${holiday.name}`)] : []),
      ]
    }),
    ...(await nearStored(db, wanted, removed, { rest: limits.restMinutes, visible })),
    ...nearEachOther(wanted, limits.restMinutes),
    ...(await beyondLimits(db, wanted, removed, { ...limits, visible })),
    ...(await againstWishes(db, isBound ? wanted.filter(({ userId }) => userId === reader.id) : wanted)),
  ]
  return found
    .map((one) => ({
      ...one,
      name: (one.userId !== null && people.get(one.userId)?.name) || 'Somebody',
      refuses: !warnings.has(one.kind),
    }))
    .sort((a, b) => a.date.localeCompare(b.date) || a.name.localeCompare(b.name))
}

const warnings: ReadonlySet<Conflict['kind']> = new Set([
  'rest',
  'holiday',
  'dayOff',
  'week',
  'nights',
  'wish',
  'charge',
])

/** Stored shifts that overlap or leave less than the minimum rest. Hidden shifts overlap without a name. */
async function nearStored(
  db: Db,
  wanted: readonly Wanted[],
  removed: readonly number[],
  { rest, visible }: { rest: number; visible: SQL },
): Promise<Found[]> {
  const held = wanted.map(({ userId, startsAt, endsAt }, n) => ({ n, u: userId, s: startsAt, e: endsAt }))
  const near = await rows<Near>(
    db,
    sql`select w.n, s.shift_id as id, s.version, s.name, s.date::text as date, s.start_minute as "startMinute",
        s.end_minute as "endMinute", s.starts_at < w.e and s.ends_at > w.s as overlaps, ${visible} as "isShown"
      from json_to_recordset(${JSON.stringify(held)}::json) as w(n int, u int, s timestamptz, e timestamptz)
      join shifts s on s.user_id = w.u and s.deleted_at is null
        and tstzrange(s.starts_at, s.ends_at) && tstzrange(w.s - make_interval(mins => ${rest}), w.e + make_interval(mins => ${rest}))
      where not s.shift_id = any(${sql.param([...removed])}::int[])
      order by w.n, s.starts_at`,
  )
  return near.flatMap(({ n, id, version, name, date, startMinute, endMinute, overlaps, isShown }): Found[] => {
    const about = { userId: wanted[n]?.userId ?? null, date: wanted[n]?.date ?? date }
    if (!isShown && !overlaps) return []
    if (!isShown) {
      const text = `is not free on ${short(about.date)}`
      return [{ ...about, kind: 'overlap', text, shiftId: null, version: null }]
    }
    const shift = `${name} ${clockOf(startMinute)}–${clockOf(endMinute)}`
    return [
      {
        ...about,
        kind: overlaps ? 'overlap' : 'rest',
        text: overlaps
          ? `has ${shift} from ${short(date)}`
          : `rests less than ${rest / 60} h beside ${shift} of ${short(date)}`,
        ...{ shiftId: id, version },
      },
    ]
  })
}

/** Overlaps and short rest among the wanted shifts themselves. */
function nearEachOther(wanted: readonly Wanted[], rest: number): Found[] {
  const found: Found[] = []
  for (const [userId, theirs] of Map.groupBy(wanted, (shift) => shift.userId)) {
    if (userId === null) continue
    const sorted = theirs.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
    for (const [n, shift] of sorted.entries()) {
      const before = sorted[n - 1]
      const pause = before
        ? (Date.parse(shift.startsAt) - Date.parse(before.endsAt)) / 60_000
        : Number.POSITIVE_INFINITY
      if (!before || pause >= rest) continue
      const text =
        pause < 0
          ? `would have ${before.name} and ${shift.name} at once`
          : `rests less than ${rest / 60} h after ${before.name}`
      found.push({ userId, date: shift.date, kind: pause < 0 ? 'overlap' : 'rest', text, shiftId: null, version: null })
    }
  }
  return found
}

const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const noonOf = (date: string) => new Date(`${date}T12:00:00Z`)
const short = (date: string) => form.format(new Date(`${date}T00:00:00Z`))

/** Texts for a message, as "Kari Berg has Late 14:00–22:00 from 3 Nov": the first five and the number of others. */
export function inWords(conflicts: readonly Conflict[]): string[] {
  const lines = conflicts.map(({ name, text, kind }) => (kind === 'closed' ? text : `${name} ${text}`))
  const some = [...new Set(lines)]
  return some.length > 5 ? [...some.slice(0, 5), `and ${some.length - 5} more`] : some
}
