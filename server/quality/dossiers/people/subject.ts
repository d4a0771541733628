import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'

/** 422 beside `userId` for a person without a dossier or with a deleted account, about whom nothing may be written. */
export async function checkSubject(db: Db, userId: number): Promise<void> {
  const [found] = await rows(
    db,
    sql`select from dossiers d join users u using (user_id) where d.user_id = ${userId} and d.deleted_at is null and u.deleted_at is null`,
  )
  if (!found) throw refused('The person has no dossier', { userId: 'The person has no dossier' })
}
