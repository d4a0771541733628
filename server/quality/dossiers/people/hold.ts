import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'

/**
 * Locks the dossier of a person, so that memberships of one person change in sequence; 422 beside the field without a
 * dossier.
 */
export async function holdDossier({ db }: Context, userId: number, field: string): Promise<void> {
  const [found] = await rows(
    db,
    sql`select from dossiers d join users u using (user_id)
      where d.user_id = ${userId} and d.deleted_at is null and u.deleted_at is null for update of d`,
  )
  if (!found) throw refused('The person has no dossier', { [field]: 'The person has no dossier' })
}
