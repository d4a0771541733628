import { type ElevationTerms, USUAL_MINUTES } from '@innkeeper/contract/access/elevations'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

export interface Asked {
  scopes: readonly string[]
  roleId: number | null
}

/**
 * How a person gets these permissions. Of the rules that cover all of them, one for the person's role comes before one for
 * everybody, and then the stricter one. A rule that says never holds for each permission that it names.
 */
export async function termsOf(db: Db, userId: number, { scopes, roleId }: Asked): Promise<ElevationTerms> {
  const wanted = sql`${sql.param([...scopes])}::text[]`
  const [rule] = await rows<ElevationTerms>(
    db,
    sql`select l.way, l.max_minutes as "maxMinutes"
      from elevation_rules l join users u on u.user_id = ${userId}
      where (l.for_role_id is null or l.for_role_id = u.role_id)
        and (l.role_id = ${roleId}::int or l.role_id is null and (l.scopes @> ${wanted} or l.way = 'never' and l.scopes && ${wanted}))
      order by l.way = 'never' desc, l.for_role_id is null, l.way = 'at-once', l.max_minutes limit 1`,
  )
  return rule ?? { way: 'second-person', maxMinutes: USUAL_MINUTES }
}

/** Roles for which a rule applies to the person, each with its terms. */
export function offersTo(db: Db, userId: number) {
  return rows<ElevationTerms & { id: number; name: string }>(
    db,
    sql`select * from (select distinct on (r.role_id) r.role_id as id, r.name, l.way, l.max_minutes as "maxMinutes"
      from elevation_rules l join users u on u.user_id = ${userId}
      join roles r on r.role_id = l.role_id and r.deleted_at is null and r.role_id is distinct from u.role_id
      where l.for_role_id is null or l.for_role_id = u.role_id
      order by r.role_id, l.way = 'never' desc, l.for_role_id is null, l.way = 'at-once', l.max_minutes) o
      where way <> 'never' order by lower(name)`,
  )
}
