import { type SQL, sql } from 'drizzle-orm'

/** Condition: the membership with this alias includes the day. */
export const holdsOn = (alias: string, day: SQL): SQL => {
  const m = sql.raw(alias)
  return sql`(${m}.deleted_at is null and ${m}.starts_on <= ${day} and (${m}.ends_on is null or ${m}.ends_on >= ${day}))`
}

/** Condition: the membership with this alias includes the day or a later one. */
export const heldFrom = (alias: string, day: SQL): SQL => {
  const m = sql.raw(alias)
  return sql`(${m}.deleted_at is null and (${m}.ends_on is null or ${m}.ends_on >= ${day}))`
}

/**
 * Select of the manager of a person on a day: the manager of the main team, or of the nearest higher team whose manager
 * is another person.
 */
export const managerOf = (user: SQL, day: SQL): SQL => sql`(with recursive up as (
    select t.parent_id, t.manager_id, 0 as n from dossier_memberships m
      join dossier_teams t on t.dossier_team_id = m.team_id and t.deleted_at is null
      where m.user_id = ${user} and not m.is_additional and ${holdsOn('m', day)}
    union all
    select t.parent_id, t.manager_id, up.n + 1 from up join dossier_teams t on t.dossier_team_id = up.parent_id
      where (up.manager_id is null or up.manager_id = ${user}) and up.n < 50 and t.deleted_at is null)
  select manager_id from up where manager_id <> ${user} order by n limit 1)`
