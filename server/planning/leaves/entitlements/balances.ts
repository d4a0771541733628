import type { LeaveBalance, LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { entitled, entitlementJoins } from './ledger.ts'
import { readTypes } from './types.ts'

interface Row {
  userId: number
  typeId: number
  entitlement: number | null
  granted: number
  carried: number
  adjusted: number
  expired: number
  pending: number
  used: number
  balance: number
}

const year = sql.placeholder('year')
/** Grant of a year without a stored grant; 0 for years that are too far from now. */
const expected = sql`case when abs(${year}::int - extract(year from now())::int) <= 1 then ${entitled(sql`${year}::int`)} else 0 end`
const select = rowsByIds<Row>(
  (isWanted) => sql`select u.user_id as "userId", t.leave_type_id as "typeId", e.halves as entitlement,
        coalesce(l.granted_or_null, ${expected}) as granted,
        coalesce(l.carried, 0) as carried, coalesce(l.adjusted, 0) as adjusted, coalesce(l.expired, 0) as expired,
        coalesce(l.pending, 0) as pending, coalesce(l.used, 0) as used,
case when t.deducts_balance then coalesce(l.total, 0)
          + case when l.granted_or_null is null then ${expected} else 0 end else 0 end as balance
      from users u cross join leave_types t ${entitlementJoins}
      left join (select x.user_id, x.leave_type_id, sum(x.halves)::int as total,
          (sum(x.halves) filter (where x.kind = 'grant'))::int as granted_or_null,
          (sum(x.halves) filter (where x.kind = 'carry'))::int as carried,
          (sum(x.halves) filter (where x.kind = 'adjust'))::int as adjusted,
          (-sum(x.halves) filter (where x.kind = 'expire'))::int as expired,
          (-sum(x.halves) filter (where r.status = 'pending'))::int as pending,
          (-sum(x.halves) filter (where r.status <> 'pending'))::int as used
        from leave_ledger x left join leaves r on r.leave_id = x.leave_id
        where ${isWanted(sql`x.user_id`)} and x.year = ${year}
        group by x.user_id, x.leave_type_id) as l on l.user_id = u.user_id and l.leave_type_id = t.leave_type_id
      where ${isWanted(sql`u.user_id`)} and u.deleted_at is null
      order by u.user_id, t.leave_type_id`,
)

/**
 * Balances of these people by type in a year, calculated from the ledger. A year without a stored grant includes its
 * future grant, which is stored with the first ledger row of that year.
 */
export async function readBalances(db: Db, userIds: readonly number[], year: number): Promise<LeaveBalance[]> {
  const found = await select(db, userIds, { year })
  const types = new Map((await readTypes(db)).map((type) => [type.id, type]))
  return found.flatMap((row) => balanceOf(row, year, types.get(row.typeId)))
}

function balanceOf({ userId, typeId: _, entitlement, ...halves }: Row, year: number, type?: LeaveType): LeaveBalance[] {
  if (!type) return []
  const { granted, carried, adjusted, expired, pending, used, balance } = halves
  return [
    {
      ...{ userId, year, type },
      entitlement: entitlement === null ? null : entitlement / 2,
      granted: granted / 2,
      carried: carried / 2,
      adjusted: adjusted / 2,
      expired: expired / 2,
      pending: pending / 2,
      used: used / 2,
      balance: balance / 2,
    },
  ]
}
