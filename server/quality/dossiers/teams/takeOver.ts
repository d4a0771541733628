import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'

/**
 * Moves memberships and lower teams to another team. Refuses if a person would be in that team twice on the same day.
 */
export async function handOverMembers({ db }: Context, { from, to }: { from: number; to: number }): Promise<void> {
  const twice = await rows<{ name: string }>(
    db,
    sql`select distinct u.first_name || ' ' || u.last_name as name from dossier_memberships a
      join dossier_memberships b on b.user_id = a.user_id and b.team_id = ${to} and b.deleted_at is null
        and daterange(a.starts_on, a.ends_on, '[]') && daterange(b.starts_on, b.ends_on, '[]')
      join users u on u.user_id = a.user_id
      where a.team_id = ${from} and a.deleted_at is null order by 1 limit 5`,
  )
  if (twice.length) {
    const text = `In both teams at once: ${twice.map(({ name }) => name).join(', ')}. End one of the memberships first.`
    throw conflict(text, { fields: { replacementId: text } })
  }
  await db.execute(sql`update dossier_memberships set team_id = ${to}, version = version + 1, updated_at = now()
    where team_id = ${from} and deleted_at is null`)
  await db.execute(sql`update dossier_teams set parent_id = ${to}, version = version + 1, updated_at = now()
    where parent_id = ${from} and deleted_at is null`)
}
