import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { Browser } from '../test/browser.ts'
import { type Honest, openHonest } from '../test/honest.ts'
import { type Hostile, openHostile } from '../test/hostile.ts'

let t: TestApp
let here = ''
let admin = ''
let adminId = 0
let hostile: Hostile
let honest: Honest
let [liar, good] = [0, 0]

const api = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
  const answer = await t.call(method, `/api/auth${path}`, { token: admin, ...(body !== undefined && { body }) })
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const begin = (id: number, to = '') => `${here}/api/auth/providers/${id}/begin${to && `?to=${encodeURIComponent(to)}`}`
/** Signs in at the hostile provider with these changes of the identity token. */
const lying = async (lie: Hostile['lie'], browser = new Browser()) => {
  hostile.lie = { claims: { sub: 'sub-1' }, ...lie }
  return browser.signIn(begin(liar))
}
const whoIs = async ({ cookie }: Browser) => {
  const answer = await fetch(`${here}/api/auth/validate`, { headers: { cookie, 'x-innkeeper-session': 'any' } })
  const { user } = (await answer.json()) as { user?: { id: number; username: string; name: string; scopes: string[] } }
  return user
}
const userOf = async (email: string) =>
  (
    await rows<{ id: number; roleId: number | null; departmentId: number | null }>(
      t.app.db,
      sql`select user_id as id, role_id as "roleId", department_id as "departmentId" from users where email = ${email} and deleted_at is null`,
    )
  )[0]

beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  here = `http://127.0.0.1:${(t.http.server.address() as AddressInfo).port}`
  ;({ token: admin, id: adminId } = await t.somebody('admin', 'root'))
  hostile = await openHostile()
  const add = (more: object) => api('POST', '/providers', { clientId: 'innkeeper', ...more })
  liar = (await add({ name: 'Liar', issuer: hostile.issuer, makesAccounts: 'everybody' })).id
  good = liar + 1
  honest = await openHonest([`${here}/api/auth/providers/${good}/callback`])
  const secret = 'a secret of the client'
  expect((await add({ name: 'Company', issuer: honest.issuer, secret, makesAccounts: 'mapped' })).id).toBe(good)
})
afterAll(async () => {
  hostile.close()
  honest.close()
  await t.close()
})
beforeEach(() => {
  hostile.lie = {}
})

describe('a provider that lies', () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each<[string, () => Hostile['lie']]>([
    ['another issuer in the token', () => ({ claims: { iss: 'https://evil.example' } })],
    ['another issuer in its settings', () => ({ issuer: 'https://evil.example' })],
    ['another audience', () => ({ claims: { aud: 'another-client' } })],
    ['another nonce', () => ({ claims: { nonce: 'another' } })],
    ['an expired token', () => ({ claims: { iat: now() - 7200, exp: now() - 3600 } })],
    ['a token from the future', () => ({ claims: { iat: now() + 7200, exp: now() + 9000, nbf: now() + 7200 } })],
    ['no signature', () => ({ alg: 'none' })],
    ['a signature with the secret', () => ({ alg: 'HS256' })],
    ['a signature with a foreign key', () => ({ alg: 'foreign key' })],
    ['no subject', () => ({ claims: { sub: undefined } as unknown as JWTPayload })],
    [
      'another subject in further claims',
      () => ({ claims: { email: undefined }, userinfo: { sub: 'sub-2', email: 'admin@localhost' } }),
    ],
  ])('is refused: %s', async (_, lie) => {
    const before = await rows(t.app.db, sql`select from sessions`)
    expect(await lying(lie())).toBe('failed=answer')
    expect(await rows(t.app.db, sql`select from sessions`)).toHaveLength(before.length)
  })
  it('is told apart from one that is away', async () => {
    expect(await lying({ status: 503 })).toBe('failed=away')
    const gone = await api('POST', '/providers', { name: 'Gone', issuer: 'http://127.0.0.1:1', clientId: 'x' })
    expect(await new Browser().signIn(begin(gone.id))).toBe('failed=away')
    expect(await api('POST', `/providers/${gone.id}/check`)).toMatchObject({ answers: false })
    await api('DELETE', `/providers/${gone.id}`)
    expect(await new Browser().signIn(begin(gone.id))).toBe('failed=off')
  })
  it('may rotate its keys between two sign-ins', async () => {
    expect(await lying({})).toBe('signed-in=%2F')
    await hostile.rotate()
    expect(await lying({})).toBe('signed-in=%2F')
  })
  it('makes no account for an address that it did not verify, or that belongs to somebody', async () => {
    await t.somebody([], 'owner')
    const claims = { sub: 'sub-9', email: 'owner@example.org', email_verified: true }
    expect(await lying({ claims })).toBe('failed=taken')
    expect(await lying({ claims: { ...claims, email: 'new@example.org', email_verified: false } })).toBe('failed=email')
    await api('PATCH', `/providers/${liar}`, { linksByEmail: true })
    expect(await lying({ claims: { ...claims, email_verified: false } })).toBe('failed=email')
    const browser = new Browser()
    expect(await lying({ claims }, browser)).toBe('signed-in=%2F')
    expect((await whoIs(browser))?.username).toBe('owner')
    await api('PATCH', `/providers/${liar}`, { linksByEmail: false })
  })
})

describe('a flow', () => {
  it('ends in the browser in which it began, once, and not at another provider', async () => {
    const [mine, foreign] = [new Browser(), new Browser()]
    hostile.lie = { claims: { sub: 'sub-1' } }
    const visited: string[] = []
    let url = begin(liar)
    while (!url.includes('/callback')) {
      const answer = await mine.fetch(url)
      url = new URL(answer.headers.get('location') ?? '', url).href
      visited.push(url)
    }
    expect(await foreign.signIn(url)).toBe('failed=state')
    expect(await mine.signIn(url.replace(`/providers/${liar}/`, `/providers/${good}/`))).toBe('failed=state')
    const again = new Browser()
    const cookie = mine.cookie
    expect(visited.length).toBeGreaterThan(1)
    expect(await again.signIn(url.replace(/state=[^&]*/, 'state=guess'))).toBe('failed=state')
    // the failures above removed the cookie of that browser, as a flow is used once
    const third = await again.fetch(url, { cookie })
    expect(third.headers.get('location')).toMatch(/failed=state|signed-in/)
    const replay = await again.fetch(url, { cookie })
    expect(replay.headers.get('location')).toBe('/login#failed=state')
  })
  it('leads to pages of Innkeeper only', async () => {
    hostile.lie = { claims: { sub: 'sub-1' } }
    for (const [to, lead] of [
      ['/websites?page=2', '/websites?page=2'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example', '/'],
    ])
      expect(await new Browser().signIn(begin(liar, to))).toBe(`signed-in=${encodeURIComponent(lead ?? '')}`)
  })
})

describe('a certified provider', () => {
  const anna = (groups: string[]) => ({
    ...{ email: 'anna@example.org', email_verified: true, given_name: 'Anna', family_name: 'Berg' },
    ...{ preferred_username: 'Anna.Berg', groups },
  })
  it('gives the role and the department of the groups, and takes only these away again', async () => {
    const department = (await api('POST', '/departments', { name: 'Support' })).id
    const role = (await api('POST', '/roles', { name: 'Readers', scopes: ['website:website:read'] })).id
    const mappings = [{ group: 'support', roleId: role, departmentId: department }]
    await api('PATCH', `/providers/${good}`, { mappings })
    honest.signsIn = 'anna'
    honest.people.set('anna', anna(['others']))
    expect(await new Browser().signIn(begin(good))).toBe('failed=unknown') // no mapped group, so no account
    honest.people.set('anna', anna(['others', 'support']))
    const browser = new Browser()
    expect(await browser.signIn(begin(good, '/websites'))).toBe('signed-in=%2Fwebsites')
    expect(await whoIs(browser)).toMatchObject({
      username: 'anna.berg',
      name: 'Anna Berg',
      scopes: ['website:website:read'],
    })
    const user = await userOf('anna@example.org')
    expect(user).toMatchObject({ roleId: role, departmentId: department })
    honest.people.set('anna', anna([]))
    await new Browser().signIn(begin(good))
    expect(await userOf('anna@example.org')).toMatchObject({ roleId: null, departmentId: null })
    await expect.poll(async () => (await whoIs(browser))?.scopes).toEqual([]) // the open session, too
    const byHand = (await api('POST', '/roles', { name: 'By hand', scopes: [] })).id
    await api('PATCH', `/users/${user?.id}`, { roleId: byHand })
    honest.people.set('anna', anna(['support']))
    await new Browser().signIn(begin(good))
    expect(await userOf('anna@example.org')).toMatchObject({ roleId: byHand, departmentId: department })
  })
  it('does not bring back people who were deleted or suspended here', async () => {
    honest.people.set('bert', { ...anna(['support']), email: 'bert@example.org', preferred_username: 'bert' })
    honest.signsIn = 'bert'
    expect(await new Browser().signIn(begin(good))).toMatch(/^signed-in/)
    const user = await userOf('bert@example.org')
    await api('POST', `/users/${user?.id}/suspension`)
    expect(await new Browser().signIn(begin(good))).toBe('failed=suspended')
    await api('DELETE', '/users', { id: user?.id, heir: adminId })
    expect(await new Browser().signIn(begin(good))).toBe('failed=unknown')
  })
  it('switched off ends its sessions', async () => {
    honest.signsIn = 'anna'
    const browser = new Browser()
    await browser.signIn(begin(good))
    await api('PATCH', `/providers/${good}`, { isEnabled: false })
    await expect.poll(() => whoIs(browser)).toBeUndefined()
    expect(await browser.signIn(begin(good))).toBe('failed=off')
    await api('PATCH', `/providers/${good}`, { isEnabled: true })
  })
})

describe('a back-channel logout', () => {
  const logOut = async (claims: JWTPayload, change = (token: string) => token) => {
    const token = change(await hostile.logoutToken(claims))
    const body = new URLSearchParams({ logout_token: token })
    return (await fetch(`${here}/api/auth/providers/${liar}/logout`, { method: 'POST', body })).status
  }
  it('ends the named session, or all sessions of the person by this provider, once for each token', async () => {
    const signIn = async (sid: string) => {
      const browser = new Browser()
      expect(await lying({ claims: { sub: 'sub-1', sid } }, browser)).toBe('signed-in=%2F')
      return browser
    }
    const [one, two, three] = [await signIn('s1'), await signIn('s2'), await signIn('s3')]
    expect(await logOut({ sid: 's1' })).toBe(200)
    await expect.poll(() => whoIs(one)).toBeUndefined()
    expect(await whoIs(two)).toBeDefined()
    expect(await logOut({ sub: 'sub-1', jti: 'once' })).toBe(200)
    for (const browser of [two, three]) await expect.poll(() => whoIs(browser)).toBeUndefined()
    expect(await logOut({ sub: 'sub-1', jti: 'once' })).toBe(400)
  })
  it('is refused with a token of another kind', async () => {
    const old = Math.floor(Date.now() / 1000) - 3600
    expect(await logOut({ sub: 'sub-1', nonce: 'x' })).toBe(400)
    expect(await logOut({ sub: 'sub-1', events: {} })).toBe(400)
    expect(await logOut({ sub: 'sub-1', aud: 'another' })).toBe(400)
    expect(await logOut({ sub: 'sub-1', iss: 'https://evil.example' })).toBe(400)
    expect(await logOut({ sub: 'sub-1', iat: old })).toBe(400)
    expect(await logOut({})).toBe(400)
    expect(await logOut({ sub: 'sub-1' }, (token) => `${token.slice(0, -8)}AAAAAAAA`)).toBe(400)
  })
})

describe('passwords that are switched off', () => {
  it('need a provider and a break-glass administrator, whose password still signs in', async () => {
    const body = (user: string) => ({ body: { user, password: `password of ${user}` } })
    await t.somebody([], 'carl')
    const off = (more: object = {}) =>
      t.call('PATCH', '/api/auth/sign-in-settings', { token: admin, body: { passwords: false, ...more } })
    expect(await off()).toMatchObject({ status: 422, body: { fields: { breakGlassId: expect.any(String) } } })
    expect(await off({ breakGlassId: adminId })).toMatchObject({ status: 200 })
    expect(await t.call('POST', '/api/auth/token', body('carl'))).toMatchObject({
      status: 403,
      body: { code: 'passwords-off' },
    })
    expect((await t.call('POST', '/api/auth/token', { body: { user: 'carl', password: 'wrong' } })).body.code).toBe(
      'passwords-off',
    )
    expect((await t.call('POST', '/api/auth/token', body('root'))).status).toBe(200)
    expect(await lying({ status: 503 })).toBe('failed=away')
    expect((await t.call('POST', '/api/auth/token', body('root'))).status, 'while the provider is away').toBe(200)
    const other = await t.somebody('admin')
    const remove = await t.call('DELETE', '/api/auth/users', {
      token: other.token,
      body: { id: adminId, heir: other.id },
    })
    expect(remove).toMatchObject({ status: 422, body: { message: expect.stringContaining('break-glass') } })
    for (const id of [liar, good]) {
      const { status } = await t.call('PATCH', `/api/auth/providers/${id}`, {
        token: admin,
        body: { isEnabled: false },
      })
      expect(status).toBe(id === liar ? 200 : 422)
    }
    await api('PATCH', `/providers/${liar}`, { isEnabled: true })
    await api('PATCH', '/sign-in-settings', { passwords: true })
  })
})
