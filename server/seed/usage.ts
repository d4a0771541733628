import { eq, sql } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const HOUR = 3_600_000

/** Adds the measured usage of accounts; one account in fifty uses more disk than its plan allows. */
export async function seedUsage(db: Db, d: Dice, now: number): Promise<void> {
  const accounts = await db
    .select({ id: tables.systemUsers.id, planMb: tables.plans.diskMb })
    .from(tables.systemUsers)
    .innerJoin(tables.plans, eq(tables.plans.id, tables.systemUsers.planId))
    .orderBy(tables.systemUsers.id)
  const used = accounts.map(({ id, planMb }) => {
    const isOver = d.chance(0.02)
    const mb = Math.ceil(planMb * (isOver ? 1.01 + d.next() * 0.4 : d.next() ** 3 * 0.95))
    const at = new Date(now - d.below(24) * HOUR).toISOString()
    return { id, mb, at, since: isOver ? new Date(now - (24 + d.below(600)) * HOUR).toISOString() : null }
  })
  await db.execute(sql`update system_users u
    set disk_used_mb = v.mb, disk_seen_at = v.at, disk_asked_at = v.at, disk_over_since = v.since
    from json_to_recordset(${JSON.stringify(used)}::json) as v (id int, mb int, at timestamptz, since timestamptz)
    where u.system_user_id = v.id`)
}
