import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { systemUsers } from './tables.ts'

const { createdBy: _, deletedAt: __, nextPlanId: ___, diskAskedAt: ____, ...columns } = getTableColumns(systemUsers)

const select = byIds((db, isWanted) =>
  db
    .select({
      ...columns,
      serverName: servers.name,
      ownerName: owners.name,
      planName: plans.name,
      planDiskMb: plans.diskMb,
      websites: sql<number>`(select count(*)::int from websites w
        where w.system_user_id = ${systemUsers.id} and w.deleted_at is null and w.kind <> 'alias')`,
    })
    .from(systemUsers)
    .innerJoin(servers, eq(servers.id, systemUsers.serverId))
    .innerJoin(owners, eq(owners.id, systemUsers.ownerId))
    .innerJoin(plans, eq(plans.id, systemUsers.planId))
    .where(and(isWanted(systemUsers.id), isNull(systemUsers.deletedAt))),
)

/** Accounts in the form of the contract, in the order of `ids`. Missing ones are left out. */
export const readSystemUsers = async (db: Db, ids: number[]): Promise<SystemUser[]> =>
  inOrder(ids, await select(db, ids))

/** One account. Throws 404 if it is missing. */
export async function readSystemUser(db: Db, id: number): Promise<SystemUser> {
  const [account] = await readSystemUsers(db, [id])
  if (!account) throw notFound('system user', id)
  return account
}
