import type { Permission } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Ids of the staff who have a permission. */
export async function holdersOf(db: Db, scope: Permission): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select u.user_id as id from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where u.deleted_at is null and not u.is_service and (u.is_admin or ${scope} = any(r.scopes))`,
  )
  return found.map(({ id }) => id)
}

export async function administrators(db: Db): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where is_admin and deleted_at is null`,
  )
  return found.map(({ id }) => id)
}
