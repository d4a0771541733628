import type { ApiToken, tokenStates } from '@innkeeper/contract/access/apiTokens'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { withInstants } from '../../kit/db/columns.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'

export const from = sql`api_tokens t join users u on u.user_id = t.user_id`

export const isInState: Record<(typeof tokenStates)[number], SQL> = {
  valid: sql`t.revoked_at is null and t.expires_at > now() and u.deleted_at is null`,
  expired: sql`t.revoked_at is null and t.expires_at <= now() and u.deleted_at is null`,
  revoked: sql`(t.revoked_at is not null or u.deleted_at is not null)`,
}

const select = rowsByIds<ApiToken>(
  (isWanted) => sql`select t.api_token_id as id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt",
      t.name, t.begins, t.user_id as "userId", ${personName('u')} as "userName",
      u.is_service as "isService", t.scopes, t.department_id as "departmentId", d.name as "departmentName", t.networks,
      t.per_minute as "perMinute", case when t.revoked_at is not null or u.deleted_at is not null then 'revoked'
        when t.expires_at <= now() then 'expired' else 'valid' end as state, t.expires_at as "expiresAt",
      case when t.previous_until > now() then t.previous_until end as "oldValidUntil",
      t.last_used_at as "lastUsedAt", t.last_used_ip as "lastUsedIp"
    from ${from} left join departments d on d.department_id = t.department_id
    where ${isWanted(sql`t.api_token_id`)}`,
)

export async function readApiTokens(db: Db, ids: readonly number[]): Promise<ApiToken[]> {
  const found = await select(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => withInstants(row, ['createdAt', 'updatedAt', 'expiresAt', 'oldValidUntil', 'lastUsedAt'])),
  )
}

export async function readApiToken(db: Db, id: number): Promise<ApiToken> {
  const [token] = await readApiTokens(db, [id])
  if (!token) throw notFound('API token', id)
  return token
}
