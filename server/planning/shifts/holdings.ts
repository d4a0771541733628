import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { holdPeople } from './roster/people.ts'
import { voidSwaps } from './swaps/void.ts'

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

const stopFor = (db: Db, userId: number) =>
  db.execute(
    sql`update shift_automations set is_active = false, version = version + 1 where user_id = ${userId} and is_active`,
  )
