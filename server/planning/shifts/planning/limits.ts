import type { Conflict } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { addDays, weekdayOf } from '../../calendar/days.ts'
import type { Settings } from '../settings.ts'
import type { Built } from './build.ts'

export type Limits = Pick<Settings, 'restMinutes' | 'weekMinutes' | 'nightsInRow'>
type Wanted = Pick<Built, 'userId' | 'date' | 'startMinute' | 'endMinute' | 'breakMinutes' | 'nightSteps'>
type Found = Omit<Conflict, 'name' | 'refuses'>
interface Work {
  userId: number
  date: string
  minutes: number
  isNight: boolean
  isWanted: boolean
}

/** Hours within the night from which a shift is a night shift (Directive 2003/88/EC, article 2). */
const NIGHT_HOURS = 3
const mondayOf = (date: string) => addDays(date, 1 - weekdayOf(date))

/**
 * Warnings of weeks with too many hours, and of too many nights in a row, that these shifts cause with the stored ones.
 */
export async function beyondLimits(
  db: Db,
  wanted: readonly Wanted[],
  removed: readonly number[],
  { weekMinutes, nightsInRow, visible }: Limits & { visible: SQL },
): Promise<Found[]> {
  const dates = wanted.map(({ date }) => date).toSorted()
  const [first] = dates
  const last = dates.at(-1)
  if (!first || !last || (!weekMinutes && !nightsInRow)) return []
  const reach = Math.max(7, nightsInRow + 1)
  const ids = [...new Set(wanted.flatMap(({ userId }) => userId ?? []))]
  const stored = await rows<Omit<Work, 'isWanted'>>(
    db,
    sql`select s.user_id as "userId", s.date::text as date, s.end_minute - s.start_minute - s.break_minutes as minutes,
        s.night_steps >= ${NIGHT_HOURS} as "isNight"
      from shifts s where s.deleted_at is null and s.user_id = any(${sql.param(ids)}::int[])
        and s.date between ${addDays(first, -reach)}::date and ${addDays(last, reach)}::date
        and not s.shift_id = any(${sql.param([...removed])}::int[]) and ${visible}`,
  )
  const all: Work[] = [
    ...stored.map((work) => ({ ...work, isWanted: false })),
    ...wanted.flatMap(({ userId, date, startMinute, endMinute, breakMinutes, nightSteps }) =>
      userId === null
        ? []
        : [
            {
              ...{ userId, date, minutes: endMinute - startMinute - breakMinutes },
              ...{ isNight: nightSteps >= NIGHT_HOURS, isWanted: true },
            },
          ],
    ),
  ]
  return [...Map.groupBy(all, ({ userId }) => userId).values()].flatMap((theirs) => [
    ...(weekMinutes ? longWeeks(theirs, weekMinutes) : []),
    ...(nightsInRow ? manyNights(theirs, nightsInRow) : []),
  ])
}

function longWeeks(work: readonly Work[], most: number): Found[] {
  return [...Map.groupBy(work, ({ date }) => mondayOf(date))].flatMap(([monday, week]) => {
    const sum = week.reduce((minutes, one) => minutes + one.minutes, 0)
    const text = `works ${hours(sum)} in the week of ${short(monday)}, more than ${hours(most)}`
    return sum > most ? said(week, 'week', text) : []
  })
}

function manyNights(work: readonly Work[], most: number): Found[] {
  const nights = work.filter(({ isNight }) => isNight).toSorted((a, b) => a.date.localeCompare(b.date))
  const found: Found[] = []
  let row: Work[] = []
  const close = () => {
    const count = new Set(row.map(({ date }) => date)).size
    const text = `has ${count} nights in a row from ${short(row[0]?.date ?? '')}, more than ${most}`
    if (count > most) found.push(...said(row, 'nights', text))
  }
  for (const night of nights) {
    const before = row.at(-1)
    if (before && night.date > addDays(before.date, 1)) {
      close()
      row = []
    }
    row.push(night)
  }
  if (row.length) close()
  return found
}

/** The warning, attached to the first new shift in `work`; none if all shifts in `work` are stored already. */
function said(work: readonly Work[], kind: 'week' | 'nights', text: string): Found[] {
  const [first] = work.filter(({ isWanted }) => isWanted).toSorted((a, b) => a.date.localeCompare(b.date))
  return first ? [{ userId: first.userId, date: first.date, kind, text, shiftId: null, version: null }] : []
}

const hours = (minutes: number) => `${Math.round(minutes / 6) / 10} h`
const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const short = (date: string) => form.format(new Date(`${date}T00:00:00Z`))
