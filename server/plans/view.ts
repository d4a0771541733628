import type { Plan } from '@innkeeper/contract/plans'
import { and, getTableColumns, isNull, sql } from 'drizzle-orm'
import { byIds } from '../kit/db/byIds.ts'
import type { Db } from '../kit/db/db.ts'
import { inOrder } from '../kit/db/page.ts'
import { notFound } from '../kit/http/errors.ts'
import { plans } from './tables.ts'

const { createdBy: _, deletedAt: __, ...columns } = getTableColumns(plans)
const systemUsers = sql<number>`(select count(*)::int from system_users u
  where u.plan_id = plans.plan_id and u.deleted_at is null)`

const select = byIds((db, isWanted) =>
  db
    .select({ ...columns, systemUsers })
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
