import {
  type Elevation,
  type ElevationRule,
  type elevationStates,
  WAITS_HOURS,
} from '@innkeeper/contract/access/elevations'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'

export const from = sql`elevations x join users u on u.user_id = x.user_id`

/** Since when a request that waits was made at the earliest. */
const isFresh = sql.raw(`x.created_at > now() - interval '${WAITS_HOURS} hours'`)

export const isInState: Record<(typeof elevationStates)[number], SQL> = {
  asked: sql`x.ended_at is null and x.starts_at is null and ${isFresh}`,
  held: sql`x.ended_at is null and x.starts_at is not null and x.ends_at > now()`,
  ended: sql`x.starts_at is not null and (x.ended_at is not null or x.ends_at <= now())`,
  refused: sql`x.ending = 'refused'`,
  lapsed: sql`x.starts_at is null and x.ending is distinct from 'refused' and (x.ended_at is not null or not ${isFresh})`,
}

const select = rowsByIds<Elevation>(
  (isWanted) => sql`select x.elevation_id as id, x.version, x.created_at as "createdAt", x.updated_at as "updatedAt",
      x.user_id as "userId", ${personName('u')} as "userName", x.role_id as "roleId", r.name as "roleName",
      x.scopes, x.minutes, x.reason, x.at_once as "atOnce", x.decided_by_id as "decidedById",
      ${personName('d')} as "decidedByName", x.note, x.starts_at as "startsAt", x.ends_at as "endsAt",
      coalesce(x.ended_at, case when x.ends_at <= now() then x.ends_at end) as "endedAt",
      ${personName('e')} as "endedByName",
      coalesce(x.ending, case when x.ends_at <= now() then 'time'
        when x.starts_at is null and not ${isFresh} then 'unanswered' end) as ending,
      case when ${isInState.held} then 'held' when ${isInState.asked} then 'asked' when ${isInState.ended} then 'ended'
        when ${isInState.refused} then 'refused' else 'lapsed' end as state
    from ${from} left join roles r on r.role_id = x.role_id left join users d on d.user_id = x.decided_by_id
    left join users e on e.user_id = x.ended_by_id
    where ${isWanted(sql`x.elevation_id`)}`,
)

export async function readElevations(db: Db, ids: readonly number[]): Promise<Elevation[]> {
  const found = await select(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => withInstants(row, ['createdAt', 'updatedAt', 'startsAt', 'endsAt', 'endedAt'])),
  )
}

export async function readElevation(db: Db, id: number): Promise<Elevation> {
  const [found] = await readElevations(db, [id])
  if (!found) throw notFound('elevation', id)
  return found
}

/** All rules, or one. There are few. */
export async function readRules(db: Db, id?: number): Promise<ElevationRule[]> {
  const found = await rows<ElevationRule>(
    db,
    sql`select l.elevation_rule_id as id, l.version, l.created_at as "createdAt", l.updated_at as "updatedAt", l.way,
        l.role_id as "roleId", r.name as "roleName", l.scopes, l.for_role_id as "forRoleId", f.name as "forRoleName",
        l.max_minutes as "maxMinutes"
      from elevation_rules l left join roles r on r.role_id = l.role_id left join roles f on f.role_id = l.for_role_id
      where ${id === undefined ? sql`true` : sql`l.elevation_rule_id = ${id}`}
      order by f.name nulls first, r.name nulls first, l.elevation_rule_id`,
  )
  return found.map((row) => withInstants(row, ['createdAt', 'updatedAt']))
}
