import { contract } from '@innkeeper/contract/index'
import type { Contract } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import { ELEVATION_SCOPES, IS_HELD } from '../../kit/access/elevated.ts'
import type { Db } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'

/** Permissions that calls need. Of the others, which handlers ask besides, no use is recorded. */
const recorded = [
  ...new Set(
    Object.values<Contract>(contract).flatMap((calls) => Object.values(calls).flatMap(({ access }) => access)),
  ),
]

interface Scope {
  roleIds: readonly number[]
  userIds: readonly number[]
  unusedDays: number
}

/**
 * Writes down who holds what now. Something is proposed for removal if it was not used for the days of the review, uses have
 * been recorded for that long, and the account is as old.
 */
export async function writeItems(db: Db, reviewId: number, { roleIds, userIds, unusedDays }: Scope): Promise<void> {
  const ids = (all: readonly number[]) => sql`${sql.param([...all])}::int[]`
  const everybody = sql.raw(String(!roleIds.length && !userIds.length))
  const past = sql`now() - make_interval(days => ${unusedDays})`
  /** Of the permissions `scopes`, those without a recorded use, and the last use. */
  const usesOf = (scopes: ReturnType<typeof sql>) => sql`cross join lateral (select max(p.last_at) as last_at,
      array((select s from unnest(${scopes}) s intersect select unnest(${sql.param(recorded)}::text[])) except select scope from permission_uses where user_id = u.user_id order by 1) as unused
    from permission_uses p where p.user_id = u.user_id and p.scope = any(${scopes})) n`
  const isProposed = (last: ReturnType<typeof sql>) =>
    sql`coalesce((select min(first_at) < ${past} from permission_uses), false) and u.created_at < ${past}
      and coalesce(${last} < ${past}, true)`
  const groupOf = (gave: 'gave_role_id' | 'gave_department_id', own: 'role_id' | 'department_id') =>
    sql`coalesce((select 'groups of ' || p.name from identities i join identity_providers p on p.provider_id = i.provider_id
      where i.user_id = u.user_id and i.${sql.identifier(gave)} = u.${sql.identifier(own)} limit 1), 'by hand')`
  const none = sql`'{}'::text[]`
  await db.execute(sql`
    with u as materialized (select * from users where deleted_at is null
      and (${everybody} or user_id = any(${ids(userIds)}) or role_id = any(${ids(roleIds)})))
    insert into access_review_items (review_id, user_id, kind, ref_id, name, source, scopes, unused, last_used_at, is_proposed)
    select ${reviewId}::int, f.* from (
      select u.user_id, 'administrator', null::int, 'Administrator', 'by hand', ${none}, ${none}, n.last_at,
          ${isProposed(sql`n.last_at`)}
        from u cross join lateral (select max(last_at) as last_at from permission_uses where user_id = u.user_id) n
        where u.is_admin
      union all select u.user_id, 'role', r.role_id, r.name, ${groupOf('gave_role_id', 'role_id')}, r.scopes, n.unused,
          n.last_at, ${isProposed(sql`n.last_at`)}
        from u join roles r on r.role_id = u.role_id and r.deleted_at is null ${usesOf(sql`r.scopes`)}
      union all select u.user_id, 'department', d.department_id, d.name, ${groupOf('gave_department_id', 'department_id')},
          ${none}, ${none}, null, false
        from u join departments d on d.department_id = u.department_id and d.deleted_at is null
      union all select u.user_id, 'elevation', x.elevation_id, coalesce(r.name, array_to_string(x.scopes, ', ')),
          coalesce('granted by ' || ${personName('b')}, 'by a rule'), g.scopes, n.unused, n.last_at, false
        from u join elevations x on x.user_id = u.user_id and ${IS_HELD}
        left join roles r on r.role_id = x.role_id left join users b on b.user_id = x.decided_by_id
        cross join lateral (select array(${ELEVATION_SCOPES} order by 1) as scopes) g ${usesOf(sql`g.scopes`)}
      union all select u.user_id, 'token', t.api_token_id, t.name,
          coalesce('made by ' || ${personName('b')}, 'made by its owner'), t.scopes, ${none}, t.last_used_at,
          coalesce(t.last_used_at, t.created_at) < ${past}
        from u join api_tokens t on t.user_id = u.user_id and t.revoked_at is null and t.expires_at > now()
        left join users b on b.user_id = t.created_by) f
    order by f.user_id`)
}
