import type { Plan } from '@innkeeper/contract/hosting/plans'
import { diskMeasured } from '@innkeeper/contract/machines/servers/shapes'
import { and, getTableColumns, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { plans } from './tables.ts'

const { createdBy: _, deletedAt: __, ...columns } = getTableColumns(plans)
const systemUsers = sql<number>`(select count(*)::int from system_users u
  where u.plan_id = plans.plan_id and u.deleted_at is null)`

const measured = sql<number>`(select count(distinct u.server_id)::int from system_users u
  join server_states s on s.server_id = u.server_id
  where u.plan_id = plans.plan_id and u.deleted_at is null
    and exists (select from unnest(s.not_enforced) line where starts_with(line, ${sql.raw(`'${diskMeasured}'`)})))`

const select = byIds((db, isWanted) =>
  db
    .select({ ...columns, systemUsers, diskMeasured: measured })
    .from(plans)
    .where(and(isWanted(plans.id), isNull(plans.deletedAt))),
)

/** Plans in the form of the contract, in the order of `ids`. Missing ones are left out. */
export const readPlans = async (db: Db, ids: number[]): Promise<Plan[]> => inOrder(ids, await select(db, ids))

/** One plan. Throws 404 if it is missing. */
export async function readPlan(db: Db, id: number): Promise<Plan> {
  const [plan] = await readPlans(db, [id])
  if (!plan) throw notFound('plan', id)
  return plan
}
