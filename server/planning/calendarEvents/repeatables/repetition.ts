import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { repeatableEvents, repeatChanges } from '../tables.ts'
import { byDays, everHeld, ruleDays } from './occurrences.ts'

export type RepeatableRow = typeof repeatableEvents.$inferSelect

const DAY_MIN = 1440

/** Normalises a repetition: all-day events begin at midnight and last whole days. 422 if it would have no day. */
export function checkRepetition<
  R extends {
    rrule: string
    startLocal: string
    timeZone: string
    durationMin: number
    allDay: boolean
    exDates: string[]
  },
>(given: R): R {
  const startLocal = given.allDay ? `${given.startLocal.slice(0, 10)}T00:00` : given.startLocal
  const wanted = { ...given, startLocal, rrule: byDays(given.rrule, startLocal, given.timeZone) }
  if (!everHeld({ ...wanted, exDates: [] }))
    throw refused('This rule matches no day', { rrule: 'No day matches, from the first day on' })
  const exDates = [...new Set(wanted.exDates)].sort()
  if (!everHeld({ ...wanted, exDates }))
    throw refused('The excluded days leave no occurrence', { exDates: 'Leave at least one day' })
  if (!wanted.allDay) return { ...wanted, exDates }
  const days = Math.ceil(wanted.durationMin / DAY_MIN)
  return { ...wanted, exDates, durationMin: days * DAY_MIN }
}

/** Deletes changes and exclusions of days that the rule no longer gives. */
export async function dropLostDays(db: Db, id: number): Promise<void> {
  const [row] = await db.select().from(repeatableEvents).where(eq(repeatableEvents.id, id))
  if (!row) return
  const given = (day: string) => ruleDays(row, day, day).length > 0
  const changes = await db.select().from(repeatChanges).where(eq(repeatChanges.repeatableEventId, id))
  for (const { id: changeId, occurrence } of changes)
    if (!given(occurrence) || row.exDates.includes(occurrence))
      await db.delete(repeatChanges).where(eq(repeatChanges.id, changeId))
  const exDates = row.exDates.filter(given)
  if (exDates.length < row.exDates.length)
    await db.update(repeatableEvents).set({ exDates }).where(eq(repeatableEvents.id, id))
}

/** Moves changes and exclusions from `day` on to the repetition that continues from there. */
export async function moveRest(db: Db, { from, to, day }: { from: number; to: number; day: string }): Promise<void> {
  await db
    .update(repeatChanges)
    .set({ repeatableEventId: to })
    .where(and(eq(repeatChanges.repeatableEventId, from), gte(repeatChanges.occurrence, day)))
  await db.execute(
    sql`update repeatable_events set ex_dates = array(select d from unnest(ex_dates) d where d >= ${day} order by d)
      where repeatable_event_id = ${to}`,
  )
}

/** Days of repetitions that differ from their rules: moved or changed ones, and cancelled ones. */
export async function specialDays(
  db: Db,
  ids: readonly number[],
): Promise<{ day: string; kind: 'changed' | 'cancelled' }[]> {
  const changes = await db
    .select()
    .from(repeatChanges)
    .where(inArray(repeatChanges.repeatableEventId, [...ids]))
  const found = await db
    .select()
    .from(repeatableEvents)
    .where(inArray(repeatableEvents.id, [...ids]))
  return [
    ...changes.map(({ occurrence }) => ({ day: occurrence, kind: 'changed' as const })),
    ...found.flatMap(({ exDates }) => exDates.map((day) => ({ day, kind: 'cancelled' as const }))),
  ].toSorted((a, b) => a.day.localeCompare(b.day))
}
