import type { ServiceAccount } from '@innkeeper/contract/access/serviceAccounts'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'

/** The last name of every service account, so that its name shows everywhere what it is. */
export const LAST_NAME = '(service)'

const select = rowsByIds<ServiceAccount>(
  (
    isWanted,
  ) => sql`select a.service_account_id as id, a.version, a.created_at as "createdAt", a.updated_at as "updatedAt",
      u.first_name as name, a.description, a.owner_id as "ownerId", ${personName('o')} as "ownerName",
      r.role_id as "roleId", r.name as "roleName", d.department_id as "departmentId", d.name as "departmentName",
      t.tokens, t.used as "lastUsedAt"
    from service_accounts a join users u on u.user_id = a.service_account_id and u.deleted_at is null
    join users o on o.user_id = a.owner_id
    left join roles r on r.role_id = u.role_id and r.deleted_at is null
    left join departments d on d.department_id = u.department_id and d.deleted_at is null
    cross join lateral (select count(*) filter (where revoked_at is null and expires_at > now())::int as tokens,
      max(last_used_at) as used from api_tokens where user_id = u.user_id) t
    where ${isWanted(sql`a.service_account_id`)}`,
)

export async function readServiceAccounts(db: Db, ids: readonly number[]): Promise<ServiceAccount[]> {
  const found = await select(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => withInstants(row, ['createdAt', 'updatedAt', 'lastUsedAt'])),
  )
}

export async function readServiceAccount(db: Db, id: number): Promise<ServiceAccount> {
  const [account] = await readServiceAccounts(db, [id])
  if (!account) throw notFound('service account', id)
  return account
}

/** Locks a service account until the call ends. 404, or 409 with the stored row. */
export async function findServiceAccount(
  { db, audit }: Context,
  id: number,
  version?: number,
): Promise<ServiceAccount> {
  await db.execute(sql`select from service_accounts where service_account_id = ${id} for update`)
  const account = await readServiceAccount(db, id)
  audit.before(account)
  checkVersion(account, version, account.name)
  return account
}

export async function countOwned(db: Db, userId: number): Promise<number> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from service_accounts a join users u on u.user_id = a.service_account_id
      where a.owner_id = ${userId} and u.deleted_at is null`,
  )
  return found?.n ?? 0
}
