import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { By } from '../notify.ts'

/** What future shifts follow: a type, an automation, or, without both, the settings. */
export interface Cause {
  shiftTypeId?: number
  automationId?: number
}

const isOf = ({ shiftTypeId = 0, automationId = 0 }: Cause) =>
  sql`coalesce(shift_type_id, 0) = ${shiftTypeId} and coalesce(automation_id, 0) = ${automationId}`

/**
 * Leaves it to the worker to apply a change to future shifts. Another change before the worker is done begins again with the first
 * person.
 */
export async function followLater(
  db: Db,
  { shiftTypeId, automationId }: Cause,
  { id, name }: By,
  now: Date,
): Promise<void> {
  await db.execute(sql`insert into shift_followings (shift_type_id, automation_id, by_id, by, since, created_by)
    values (${shiftTypeId ?? null}::int, ${automationId ?? null}::int, ${id}, ${name}, ${now.toISOString()}::timestamptz, ${id || null})
    on conflict (coalesce(shift_type_id, 0), coalesce(automation_id, 0)) do update set by_id = excluded.by_id, by = excluded.by,
      since = excluded.since, cursor = -1, done = 0, stayed = '{}', version = shift_followings.version + 1, updated_at = now()`)
}

/** Whether shifts still follow an earlier change. Waits until the worker ends its part, so lock this before the cause itself. */
export async function isFollowing(db: Db, cause: Cause): Promise<boolean> {
  return (await rows(db, sql`select from shift_followings where ${isOf(cause)} for update`)).length > 0
}

/** What has not followed yet stays as it is. */
export const stopFollowing = (db: Db, cause: Cause) =>
  db.execute(sql`delete from shift_followings where ${isOf(cause)}`)

/**
 * Percentage of the people whose future shifts have followed, by cause: those of types have positive keys, of automations negative
 * ones, and that of the settings is 0. Without an entry all have.
 */
export async function progressOfFollowing(db: Db): Promise<Map<number, number>> {
  const found = await rows<{ key: number; progress: number }>(
    db,
    sql`select coalesce(f.shift_type_id, -f.automation_id, 0) as key,
        (select floor(99.0 * count(*) filter (where u.user_id <= f.cursor) / greatest(count(*), 1)) from users u)::int as progress
      from shift_followings f`,
  )
  return new Map(found.map(({ key, progress }) => [key, progress]))
}
