import type { Permission } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Ids of the people who can grant all of these permissions: administrators, and people who have them and one of `by`. */
export async function grantorsOf(
  db: Db,
  scopes: readonly string[],
  but: number,
  ...by: Permission[]
): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select u.user_id as id from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where u.deleted_at is null and u.suspended_at is null and not u.is_service and u.user_id <> ${but} and (u.is_admin
        or r.scopes @> ${sql.param([...scopes])}::text[] and r.scopes && ${sql.param(by)}::text[]) order by 1`,
  )
  return found.map(({ id }) => id)
}
