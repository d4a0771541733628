import { sql } from 'drizzle-orm'

/** Whether an elevation `x` is held now. */
export const IS_HELD = sql.raw('x.ended_at is null and x.starts_at is not null and x.ends_at > now()')

/** The permissions that an elevation `x` gives. One of a role gives those that the role still has. */
export const ELEVATION_SCOPES = sql.raw(`select s from unnest(x.scopes) as s where x.role_id is null
    or exists (select from roles xr where xr.role_id = x.role_id and xr.deleted_at is null and s = any(xr.scopes))`)

/**
 * What the user `u` has by elevations beyond the role `r`, and until when at least. API tokens do not read it: a program
 * is never elevated.
 */
export const ELEVATED = sql`(select coalesce(array_agg(distinct g.s order by g.s) filter (where g.s is not null), '{}') as scopes,
    (extract(epoch from min(x.ends_at)) * 1000)::float8 as until
  from elevations x left join lateral (${ELEVATION_SCOPES} except select unnest(r.scopes)) g on true
  where x.user_id = u.user_id and ${IS_HELD})`
