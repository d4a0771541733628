import { inArray, sql } from 'drizzle-orm'
import type { EmploymentChange } from '../../kit/app/app.ts'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { announceOpen, notifyOfShifts } from './notify.ts'
import { isPublished } from './planning/insertShifts.ts'
import { holdPeople } from './roster/people.ts'
import { readStored, shiftsById, shown } from './roster/view.ts'
import { voidSwaps } from './swaps/void.ts'
import { shifts } from './tables.ts'

/** Future shifts of a departing person become open, because the successor may have other shifts at these times. */
export const shiftsAhead: Holding = {
  key: 'shifts',
  label: 'Shifts ahead, which become open',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from shifts where user_id = ${userId} and deleted_at is null and starts_at > now()`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from) {
    await holdPeople(db, [from])
    await db.execute(sql`update shifts set user_id = null, status = 'open', edited = true, automation_id = null, version = version + 1, updated_at = now()
      where user_id = ${from} and deleted_at is null and starts_at > now()`)
    await stopFor(db, from)
    await voidSwaps(db)
    await changed(db, 'shifts')
  },
}

/**
 * Counts the shifts of a person after a new last day at work, and opens them for others if that is asked for. Automations
 * plan nobody after the last day.
 */
export async function openAfterLastDay(
  db: Db,
  { userId, lastDay, opensShifts, by, now }: EmploymentChange,
  save: () => Promise<void>,
): Promise<{ shifts: number }> {
  await save()
  if (!lastDay) return { shifts: 0 }
  if (opensShifts) await holdPeople(db, [userId])
  const found = await readStored(
    db,
    [
      sql`s.user_id = ${userId} and s.date > ${lastDay}::date and s.starts_at > ${now.toISOString()}::timestamptz
        and s.status in ('draft', 'published')`,
    ],
    opensShifts,
  )
  if (!opensShifts || !found.length) return { shifts: found.length }
  const ids = found.map(({ id }) => id)
  await db
    .update(shifts)
    .set({ userId: null, status: 'open', edited: true, automationId: null, ...nextVersion })
    .where(inArray(shifts.id, ids))
  await notifyOfShifts(db, found.filter(isPublished).map(shown), by, 'given')
  await announceOpen(db, await shiftsById(db, ids), by)
  await voidSwaps(db)
  await changed(db, 'shifts')
  return { shifts: found.length }
}

const stopFor = (db: Db, userId: number) =>
  db.execute(
    sql`update shift_automations set is_active = false, version = version + 1 where user_id = ${userId} and is_active`,
  )
