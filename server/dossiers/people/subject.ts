import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

/** 422 beside `userId` if nothing may be written about the person: no dossier, or a deleted account. */
export async function checkSubject(db: Db, userId: number): Promise<void> {
  const [found] = await rows(
    db,
    sql`select from dossiers d join users u using (user_id) where d.user_id = ${userId} and d.deleted_at is null and u.deleted_at is null`,
  )
  if (!found) throw refused('The person has no dossier', { userId: 'The person has no dossier' })
}
