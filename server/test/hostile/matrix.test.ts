import { ErrorBody, takesTokens } from '@innkeeper/contract/kit/endpoint'
import { permissions, permissionsWords } from '@innkeeper/contract/permissions/services'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { sliced } from '../../../bin/slice.ts'
import { apiTokens } from '../../access/apiTokens/tables.ts'
import { users } from '../../access/users/tables.ts'
import { newTokenValue, tokenHash } from '../../kit/access/tokens.ts'
import { rows } from '../../kit/db/db.ts'
import { markOf, SESSION_HEADER } from '../../kit/http/browserSession.ts'
import { addressOf, type Call, calls, guarded, scoped } from './calls.ts'
import { bodyWith, valuesOf } from './forms.ts'
import { saySeed, seed } from './seed.ts'
import { goodValues } from './values.ts'
import { openWorld, type World } from './world/world.ts'

/** What a person reads and a program gets who lacks these permissions. */
const refusalOf = (scopes: readonly string[]) => ({ message: `Needs ${permissionsWords(scopes)}`, scopes })

/** Every call × every kind of caller: the contract determines each answer. */
let w: World
const tokens: Record<string, string> = {}
beforeAll(async () => {
  saySeed('matrix')
  w = await openWorld()
  const person = async (change: (id: number) => Promise<unknown>) => {
    const { id, token } = await w.somebody('admin')
    await change(id)
    return token
  }
  const { db, sessions } = w.app
  tokens.expired = await person((id) => db.execute(sql`update sessions set expires_at = now() where user_id = ${id}`))
  tokens.revoked = await person((id) => sessions.endAll(db, id))
  tokens.deleted = await person((id) => db.execute(sql`update users set deleted_at = now() where user_id = ${id}`))
  // makes the first six rows of users and sessions belong to others than the callers of the tests
  for (let n = 0; n < 6; n++) await w.somebody([])
  // no request that `ask` draws names its caller: people need no permission for themselves
  await db.execute(sql`alter table users alter user_id restart with 10000`)
})
afterAll(() => w.close())

const MISSING = 2_000_000_000
/** The integer parameters of a path, which identify rows. */
const rowsOf = ({ endpoint }: Call) =>
  Object.entries(endpoint.schemas.params?.shape ?? {}).flatMap(([key, field]) =>
    (field as z.ZodType).safeParse(MISSING).success && (field as z.ZodType).safeParse('x').success === false
      ? [key]
      : [],
  )

/** Sends a request that the contract accepts, with the given path parameters, or valid ones; `as`: a token, or headers. */
function ask(
  { name, endpoint }: Call,
  as: string | undefined | Record<string, string>,
  params: Record<string, string> = {},
) {
  const some = (schema: z.ZodObject | undefined, all = false) =>
    Object.fromEntries(
      Object.entries(schema?.shape ?? {}).flatMap(([key, raw], n) => {
        const field = raw as z.ZodType // a shape's values are schemas
        if (!all && field.safeParse(undefined).success) return []
        const values = goodValues(field, w.known.words)
        expect(values.length, `${name}: no value for ${key} is known; world.ts has to have one`).toBeGreaterThan(0)
        return [[key, fc.sample(fc.constantFrom(...values), { seed: seed + n, numRuns: 1 })[0]]]
      }),
    )
  const path = Object.fromEntries(
    Object.entries(some(endpoint.schemas.params, true)).map(([k, v]) => [k, encodeURIComponent(String(v))]),
  )
  const query = new URLSearchParams(
    Object.entries(some(endpoint.schemas.query)).map(([k, v]): [string, string] => [k, String(v)]),
  )
  const { payload, type } = bodyWith(endpoint, some(valuesOf(endpoint)))
  const url = `${addressOf(endpoint.path, { ...path, ...params })}?${query}`
  return w.call(endpoint.method, url, {
    ...(typeof as === 'object' ? { headers: as } : as !== undefined && { token: as }),
    ...(endpoint.method !== 'GET' && { raw: payload, type }),
  })
}
/**
 * Expects no denial and no server error. Two exceptions: calls that query a managed server answer 503, because all
 * servers are offline here; and acts on people with more rights are refused by another rule than the scope (decision
 * 35).
 */
function expectAnswered(status: number, body: { message?: string }) {
  const away = status === 503 && /has not (been heard from|answered within)/.test(body.message ?? '')
  const isBeyondReach = status === 403 && !/^Needs /.test(body.message ?? '')
  if (!away && !isBeyondReach) expect([401, 403, 500, 503], JSON.stringify(body)).not.toContain(status)
}
/** Answers without what differs from request to request. */
const plainly = ({ status, body }: { status: number; body: object }) => ({ status, body: { ...body, requestId: '' } })
const missing = (call: Call) => Object.fromEntries(rowsOf(call).map((key) => [key, String(MISSING)]))
const names = (list: Call[]) => list.map((call) => ({ name: call.name, call }))

describe('nobody', () => {
  it.each(names(guarded))('gets 401 from $name, with the message for the kind of token', async ({ call }) => {
    for (const [token, message] of [
      [undefined, 'Sign in first'],
      ['', 'Sign in first'],
      ['nonsense', "No credentials found for given 'iss'"],
      [tokens.expired, 'token expired'],
      [tokens.revoked, "No credentials found for given 'iss'"],
      [tokens.deleted, "No credentials found for given 'iss'"],
    ] as const) {
      const { status, body } = await ask(call, token)
      expect({ status, message: body.message }).toEqual({ status: 401, message })
      expect(ErrorBody.safeParse(body).success).toBe(true)
    }
  })
  it.each(
    names(calls.filter(({ endpoint }) => endpoint.access === 'public')),
  )('gets the same answer from $name, whatever token the request has', async ({ call }) => {
    const { status } = await ask(call, undefined)
    for (const token of ['nonsense', tokens.expired, tokens.revoked])
      expect((await ask(call, token)).status).toBe(status)
    const session = { host: 'innkeeper.test', cookie: `innkeeper=${w.admin}`, [SESSION_HEADER]: 'any' }
    expect((await ask(call, session)).status).toBe(status)
  })
})

describe('a scope', () => {
  /** Permissions similar to the required one. */
  const alike = (scope: string) => {
    const [service = '', resource = '', action = ''] = scope.split(':')
    return [
      ...['*', '*:*:*', '.*', `${service}:*`, `${service}:*:*`, `${service}:${resource}:*`, `*:${resource}:${action}`],
      ...[
        `${service}:*:${action}`,
        scope.replaceAll(':', '.'),
        scope.replace(':', '.*'),
        scope.toUpperCase(),
        `${scope} `,
      ],
      ...[
        ` ${scope}`,
        `${scope}:`,
        `${scope}:x`,
        scope.slice(0, -1),
        `${scope}s`,
        `^${scope}$`,
        `${scope},x`,
        `${scope}\n`,
      ],
      ...[
        `${service}:${resource}`,
        `${service}:${resource}:`,
        `${action}:${resource}:${service}`,
        'admin',
        'isAdmin',
        '',
      ],
    ]
  }
  it.each(names(scoped))('of $name must match exactly: similar permissions are refused', async ({ call }) => {
    for (const lacking of call.scopes) {
      const others = call.scopes.filter((scope) => scope !== lacking)
      const { token } = await w.somebody([...others, ...alike(lacking)])
      const { status, body } = await ask(call, token)
      expect({ status, message: body.message, code: body.code, scopes: body.scopes }).toEqual({
        status: 403,
        code: 'denied',
        ...refusalOf([lacking]),
      })
    }
  })
  it.each(names(scoped))('of $name is not replaced by the scopes of all other calls', async ({ call }) => {
    const others = [...new Set(scoped.flatMap(({ scopes }) => scopes))].filter((scope) => !call.scopes.includes(scope))
    const { token } = await w.somebody(others)
    const before = await denials()
    expect(await ask(call, token)).toMatchObject({
      status: 403,
      body: refusalOf(call.scopes),
    })
    expect(await denials(), 'a denial is in the log').toBe(before + 1)
  })
  it.each(names(guarded))('is sufficient for $name, without any other scope', async ({ call }) => {
    const { token } = await w.somebody(call.scopes)
    const { status, body } = await ask(call, token, missing(call))
    expectAnswered(status, body)
    if (rowsOf(call).length) expect(status, JSON.stringify(body)).toBe(404)
  })
  const denials = async () => {
    const [row] = await rows<{ n: number }>(
      w.app.db,
      sql`select count(*)::int as n from action_logs where result = 'denied'`,
    )
    return row?.n ?? 0
  }
})

describe('an administrator', () => {
  it.each(names(guarded.filter((call) => rowsOf(call).length > 0)))('gets 404 from $name for a missing row', async ({
    call,
  }) => {
    const { token } = await w.somebody('admin') // an earlier call may have signed out or deleted the former caller
    for (const id of [String(MISSING), '2147483647', '999999']) {
      const params = Object.fromEntries(rowsOf(call).map((key) => [key, id]))
      expect(await ask(call, token, params)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    }
  })
  it.each(names(guarded))('is never denied by $name', async ({ call }) => {
    const { token } = await w.somebody('admin')
    const { status, body } = await ask(call, token, missing(call))
    expectAnswered(status, body)
  })
})

describe('a row that the caller must not see', () => {
  const open = guarded.filter((call) => call.scopes.length === 0 && rowsOf(call).length > 0)
  it.each(names(open))('gets the same answer from $name as a row that does not exist', async ({ call }) => {
    const { token } = await w.somebody([])
    for (let id = 1; id <= 6; id++) {
      const at = (n: number) => Object.fromEntries(rowsOf(call).map((key) => [key, String(n)]))
      const foreign = await ask(call, token, at(id))
      const none = await ask(call, token, at(MISSING))
      expect(foreign.status).toBe(404)
      const plain = ({ body }: typeof none) => ({ ...body, message: body.message.replace(/\d+/g, 'n'), requestId: '' })
      expect(plain(foreign)).toEqual(plain(none))
    }
  })
})

describe('a browser', () => {
  /** What any page can make a browser send, and what only Innkeeper's own page sends. */
  const cookie = (token: string) => ({ host: 'innkeeper.test', cookie: `innkeeper=${token}` })
  const page = (token: string) => ({ ...cookie(token), [SESSION_HEADER]: 'any', 'sec-fetch-site': 'same-origin' })
  let admin: string
  beforeAll(async () => {
    admin = (await w.somebody('admin')).token
  })
  it.each(names(guarded))('gets 401 from $name without the header of the page, or from elsewhere', async ({ call }) => {
    for (const headers of [
      cookie(admin),
      { ...page(admin), 'sec-fetch-site': 'cross-site' },
      { ...page(admin), origin: 'https://evil.example' },
    ])
      expect(await ask(call, headers)).toMatchObject({ status: 401, body: { message: 'Sign in first' } })
    const other = { ...page(admin), [SESSION_HEADER]: markOf('the session of another tab') }
    expect(await ask(call, other)).toMatchObject({ status: 401, body: { code: 'other-session' } })
  })
  it.each(names(scoped))('lacks for $name what a program with the same session lacks', async ({ call }) => {
    for (const lacking of call.scopes) {
      const { token } = await w.somebody(call.scopes.filter((scope) => scope !== lacking))
      const answer = await ask(call, page(token))
      expect(answer).toMatchObject({ status: 403, body: { ...refusalOf([lacking]), code: 'denied' } })
      expect(plainly(answer)).toEqual(plainly(await ask(call, token)))
    }
  })
  it.each(names(sliced(guarded)))('is answered by $name with the scope alone', async ({ call }) => {
    const { token } = await w.somebody(call.scopes)
    const { status, body } = await ask(call, page(token), missing(call))
    expectAnswered(status, body)
    if (rowsOf(call).length) expect(status, JSON.stringify(body)).toBe(404)
  })
})

describe('a program', () => {
  const people = { message: 'Programs with a token may not make this call: it is for people', code: 'denied' }
  const make = async (token: string, body: object) => {
    const sent = { perMinute: 6000, ...body }
    const { status, body: made } = await w.call('POST', '/api/api-tokens', { token, body: sent })
    expect(status, JSON.stringify(made)).toBe(201)
    return made.value as string
  }
  /** A token of a person or, by turns, of a service account. */
  const tokenOf = async (held: string[], scopes: string[], isService = ++turn % 2 === 0) => {
    const { id: userId } = await w.somebody(held)
    await w.app.db.update(users).set({ isService }).where(eq(users.id, userId))
    const value = newTokenValue()
    const made = { userId, begins: value.slice(0, 8), hash: tokenHash(value), scopes }
    const row = { ...made, name: 'matrix', perMinute: 6000, expiresAt: '2999-01-01T00:00:00Z' }
    await w.app.db.insert(apiTokens).values(row)
    return value
  }
  let turn = seed
  /** A token of an administrator with one permission, and one of a service account with all permissions. */
  let narrow: string
  let wide: string
  /** Tokens with all permissions, whose owners have lost theirs. */
  let lost: string[]
  beforeAll(async () => {
    const everything = Object.keys(permissions)
    const { token } = await w.somebody('admin') // calls of the tests before may have ended the session of the world's
    narrow = await make(token, { name: 'narrow', scopes: ['dns:zone:read'] })
    const role = await w.call('POST', '/api/auth/roles', { token, body: { name: 'All', scopes: everything } })
    const account = await w.call('POST', '/api/service-accounts', {
      token,
      body: { name: 'Robot', roleId: role.body.id },
    })
    wide = await make(token, { name: 'wide', scopes: everything, serviceAccountId: account.body.id })
    lost = [await tokenOf([], everything, true), await tokenOf([], everything, false)]
  })
  it.each(names(scoped))('whose owner has lost the permission of $name is refused', async ({ call }) => {
    const { message } = takesTokens(call.endpoint) ? refusalOf(call.scopes) : people
    for (const token of lost) expect(await ask(call, token)).toMatchObject({ status: 403, body: { message } })
  })
  it.each(
    names(sliced(guarded.filter(({ endpoint }) => takesTokens(endpoint)))),
  )('is answered by $name with the scope alone, as a person is', async ({ call }) => {
    const { status, body } = await ask(call, await tokenOf(call.scopes, call.scopes), missing(call))
    expectAnswered(status, body)
    if (rowsOf(call).length) expect(status, JSON.stringify(body)).toBe(404)
  })
  it.each(
    names(scoped.filter(({ scopes }) => !scopes.includes('dns:zone:read'))),
  )('with a token of an administrator is refused by $name without its permission', async ({ call }) => {
    const { status, body } = await ask(call, narrow)
    const { message } = takesTokens(call.endpoint) ? refusalOf(call.scopes) : people
    expect({ status, message: body.message }).toEqual({ status: 403, message })
  })
  it.each(
    names(guarded.filter(({ endpoint }) => !takesTokens(endpoint))),
  )('with a service account is refused by $name, which is for people', async ({ call }) => {
    expect(await ask(call, wide)).toMatchObject({ status: 403, body: people })
  })
  it('with a service account is answered by calls with a permission', async () => {
    expect((await w.call('GET', '/api/dns/zones', { token: wide })).status).toBe(200)
  })
})
