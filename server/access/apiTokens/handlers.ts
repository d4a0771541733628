import type { ApiToken, apiTokens as contract } from '@innkeeper/contract/access/apiTokens'
import { holds } from '@innkeeper/contract/kit/access'
import { eq, type SQL, sql } from 'drizzle-orm'
import { newTokenValue, tokenHash } from '../../kit/access/tokens.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, denied, notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { isDepartment } from '../departments/exists.ts'
import { mayActOn } from '../rights/reach.ts'
import { mayGive } from '../rights/rights.ts'
import { readServiceAccount } from '../serviceAccounts/read.ts'
import { from, isInState, readApiToken, readApiTokens } from './read.ts'
import { apiTokens } from './tables.ts'

const sorts = {
  createdAt: { column: sql`t.created_at`, type: 'instant', direction: 'DESC' },
  name: { column: sql`t.name`, type: 'text', direction: 'ASC' },
  expiresAt: { column: sql`t.expires_at`, type: 'instant', direction: 'ASC' },
  lastUsedAt: { column: sql`coalesce(t.last_used_at, 'epoch')`, type: 'instant', direction: 'DESC' },
} as const

/** Letters of a value that lists show: the prefix and four more. */
const SHOWN = 8
/** Valid tokens of one person or service account. */
const MOST = 100

export const apiTokensHandlers: Handlers<typeof contract> = {
  async list({ user, kind, state, scope, ...input }, { db, staff }) {
    const where: SQL[] = holds(staff, 'api:token:read') ? [sql`true`] : [sql`t.user_id = ${staff.id}`]
    if (user) where.push(sql`t.user_id in ${user}`)
    if (kind) where.push(kind === 'service' ? sql`u.is_service` : sql`not u.is_service`)
    if (state) where.push(isInState[state])
    if (scope) where.push(sql`${scope} = any(t.scopes)`)
    if (input.search) where.push(contains(sql`t.name`, input.search))
    const order = sorts[input.sort ?? 'createdAt']
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: sql`t.api_token_id`, order })
    return { items: await readApiTokens(db, ids), ...page }
  },

  async current(_, { db, staff }) {
    if (!staff.token) throw notFound('API token of this request')
    return { ...(await readApiToken(db, staff.token.id)), scopes: [...staff.scopes] }
  },

  async create({ serviceAccountId, departmentId, days, ...fields }, context) {
    const { db, staff, audit } = context
    const userId = serviceAccountId ?? staff.id
    await lockOwner(context, userId)
    const scopes = [...new Set(fields.scopes)].sort()
    mayGive(staff, scopes, 'scopes')
    if (departmentId) await checkDepartment(context, userId, departmentId)
    await checkName(db, userId, fields.name)
    const { value, ...stored } = fresh()
    const [made] = await db
      .insert(apiTokens)
      .values({ ...fields, ...stored, userId, scopes, departmentId, expiresAt: inDays(days), createdBy: staff.id })
      .returning({ id: apiTokens.id })
    const token = await readApiToken(db, made!.id)
    audit.of('api-token', token.id)
    audit.after(token)
    await changed(db, 'apiTokens', token.id)
    return { token, value }
  },

  async rotate({ id, days, oldValidHours }, context) {
    const { db, app, audit } = context
    const before = await find(
      context,
      id,
      ({ isService }) => isService && holds(context.staff, 'api:service-account:update'),
    )
    if (before.state !== 'valid') throw conflict(`${before.name} is ${before.state}. Make a new token.`)
    if (before.userId !== context.staff.id) {
      await lockOwner(context, before.userId)
      mayGive(context.staff, before.scopes, 'scopes')
    }
    const { value, ...stored } = fresh()
    const previousUntil = sql`least(expires_at, now() + make_interval(hours => ${oldValidHours}))`
    await db
      .update(apiTokens)
      .set({
        ...stored,
        previousHash: apiTokens.hash,
        previousUntil,
        expiresAt: inDays(days),
        toldAt: null,
        ...nextVersion,
      })
      .where(eq(apiTokens.id, id))
    await app.sessions.endToken(db, id)
    const token = await readApiToken(db, id)
    audit.after(token)
    await changed(db, 'apiTokens', id)
    return { token, value }
  },

  async revoke({ id }, context) {
    const { db, app, audit } = context
    const before = await find(context, id, () => holds(context.staff, 'api:token:revoke'))
    audit.of('api-token', id)
    await db
      .update(apiTokens)
      .set({ revokedAt: sql`coalesce(revoked_at, now())`, ...nextVersion })
      .where(eq(apiTokens.id, id))
    await app.sessions.endToken(db, id)
    audit.after({ ...before, state: 'revoked' })
    await changed(db, 'apiTokens', id)
  },
}

/** A new value, and what is stored of it. */
function fresh(): { value: string; hash: string; begins: string } {
  const value = newTokenValue()
  return { value, hash: tokenHash(value), begins: value.slice(0, SHOWN) }
}

const inDays = (days: number) => sql`now() + make_interval(days => ${days})`

/** Locks a token that the caller owns or otherwise may treat; 404 for others. */
async function find(
  { db, staff, audit }: Context,
  id: number,
  mayTreat: (token: ApiToken) => boolean,
): Promise<ApiToken> {
  await db.execute(sql`select from api_tokens where api_token_id = ${id} for update`)
  const token = await readApiToken(db, id)
  if (token.userId !== staff.id && !mayTreat(token)) throw notFound('API token', id)
  audit.before(token)
  return token
}

/**
 * Locks the account as which a token acts, so that names are compared one after the other. A token of a service account
 * is given by people who reach the account.
 */
async function lockOwner({ db, staff }: Context, userId: number): Promise<void> {
  if (userId !== staff.id) {
    if (!holds(staff, 'api:service-account:update')) throw denied(['api:service-account:update'])
    await readServiceAccount(db, userId).catch(() => {
      throw refused('That service account is gone', { serviceAccountId: 'Is gone. Choose another.' })
    })
    await mayActOn(db, staff, { ids: [userId] })
  }
  await db.execute(sql`select from users where user_id = ${userId} for update`)
}

/** The department of the owner. A token of an administrator may work for any, because administrators belong to all. */
async function checkDepartment({ db, staff }: Context, userId: number, departmentId: number): Promise<void> {
  if (!(await isDepartment(db, departmentId)))
    throw refused('That department is gone', { departmentId: 'Is gone. Choose another.' })
  const [owner] = await rows<{ departmentId: number | null }>(
    db,
    sql`select department_id as "departmentId" from users where user_id = ${userId}`,
  )
  if (owner?.departmentId === departmentId || (userId === staff.id && staff.isAdmin)) return
  const text = 'The owner of the token does not belong to that department'
  throw refused(text, { departmentId: text })
}

async function checkName(db: Db, userId: number, name: string): Promise<void> {
  const found = await rows<{ same: boolean }>(
    db,
    sql`select lower(name) = lower(${name}) as same from api_tokens
      where user_id = ${userId} and revoked_at is null limit ${MOST + 1}`,
  )
  if (found.some(({ same }) => same))
    throw conflict(`${name} exists already`, { fields: { name: 'Another token of this account has that name' } })
  if (found.length >= MOST) throw conflict(`This account has ${MOST} tokens already. Revoke some first.`)
}
