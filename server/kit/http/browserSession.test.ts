import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from '../db/db.ts'
import { cookieName, tokenOf } from './browserSession.ts'

/** A browser as a server sees it: over real HTTP, with the headers that browsers set and pages cannot. */
let t: TestApp
let port = 0
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port
})
afterAll(() => t.close())

type Headers = Record<string, string>
const page = { 'x-innkeeper-session': 'any', 'sec-fetch-site': 'same-origin' }
const ask = (method: string, path: string, headers: Headers = {}, body?: unknown) =>
  fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')

/** Signs in as a page does. */
async function browser(name: string, more: Headers = {}) {
  const answer = await ask('POST', '/auth/token', { ...page, ...more }, { user: name, password: `password of ${name}` })
  const { token } = (await answer.json()) as { token: string }
  const cookie = cookiesOf(answer).join('; ')
  const { user } = (await (await ask('GET', '/auth/validate', { ...page, cookie })).json()) as { user: { jwt: string } }
  return { answer, token, cookie, mark: user.jwt, own: { 'x-innkeeper-session': user.jwt, cookie } }
}

describe('the session of a browser', () => {
  it('is in a cookie that scripts cannot read, and no later answer contains its token', async () => {
    await t.somebody([], 'anna')
    const { answer, token, mark, own } = await browser('anna')
    const [session] = answer.headers.getSetCookie().filter((one) => one.startsWith(`innkeeper-${port}=`))
    expect(session).toMatch(/HttpOnly; SameSite=Strict/)
    expect(session).toContain(token)
    expect(mark).toMatch(/^cookie-/)
    expect((await ask('GET', '/auth/sessions', own)).status).toBe(200)
    expect((await ask('GET', '/auth/validate', { authorization: `Bearer ${mark}` })).status).toBe(401)
  })
  it('is nothing that a program gets; its token still signs in as the specification says', async () => {
    await t.somebody([], 'bert')
    const answer = await ask('POST', '/auth/token', {}, { user: 'bert', password: 'password of bert' })
    expect(answer.headers.getSetCookie()).toEqual([])
    const { token } = (await answer.json()) as { token: string }
    const read = await ask('GET', '/auth/validate', { authorization: `Bearer ${token}` })
    expect(((await read.json()) as { user: { jwt: string } }).user.jwt).toBe(token)
  })
  it.each<[string, (own: Headers, port: number) => Headers]>([
    ['a form of another site, which sends no header', ({ cookie = '' }) => ({ cookie })],
    [
      'a link of another site',
      ({ cookie = '' }) => ({ cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    ],
    ['another site with the header', (own) => ({ ...own, 'sec-fetch-site': 'cross-site' })],
    ['a sibling host', (own) => ({ ...own, 'sec-fetch-site': 'same-site' })],
    ['another origin', (own) => ({ ...own, origin: 'http://evil.example' })],
    ['another port of this host', (own, at) => ({ ...own, origin: `http://127.0.0.1:${at + 1}` })],
    ['no origin at all', (own) => ({ ...own, origin: 'null' })],
  ])('does not count for %s', async (_, headersOf) => {
    const name = `carla${crypto.randomUUID().slice(0, 8)}`
    await t.somebody([], name)
    const { own } = await browser(name)
    const headers = headersOf(own, port)
    expect((await ask('GET', '/auth/logout', headers)).status).toBe(401)
    expect((await ask('DELETE', '/auth/sessions', headers)).status).toBe(401)
    expect((await ask('GET', '/auth/validate', own)).status).toBe(200)
  })
  it('answers a foreign page that asks first with no permission to send the header', async () => {
    const asked = {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-innkeeper-session',
    }
    const answer = await ask('OPTIONS', '/auth/sessions', asked)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
  it('of another person does not act for a tab that shows the former', async () => {
    await t.somebody([], 'dora')
    await t.somebody([], 'emil')
    const [first, second] = [await browser('dora'), await browser('emil')]
    const mixed = await ask('GET', '/auth/sessions', { ...second.own, 'x-innkeeper-session': first.mark })
    expect(mixed.status).toBe(401)
    expect(await mixed.json()).toMatchObject({ code: 'other-session' })
  })
  it('ends with the cookie, and on the server', async () => {
    await t.somebody([], 'fred')
    const { own } = await browser('fred')
    const out = await ask('GET', '/auth/logout', own)
    expect(out.headers.getSetCookie()[0]).toMatch(/=; .*Max-Age=0/)
    expect((await ask('GET', '/auth/validate', own)).status).toBe(401)
  })
  it('takes over a token that an earlier version kept in the page', async () => {
    const { token } = await t.somebody([])
    const answer = await ask('GET', '/auth/validate', { ...page, authorization: `Bearer ${token}` })
    const { user } = (await answer.json()) as { user: { jwt: string } }
    expect(user.jwt).toMatch(/^cookie-/)
    const moved = await ask('GET', '/auth/validate', {
      'x-innkeeper-session': user.jwt,
      cookie: cookiesOf(answer).join('; '),
    })
    expect(moved.status).toBe(200)
  })
  it('opens a socket for its own origin only', async () => {
    await t.somebody([], 'gina')
    const { mark, cookie } = await browser('gina')
    const knock = async (headers: Headers) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['innkeeper', mark], { headers })
      const outcome = Promise.race([
        once(socket, 'open').then(() => 101),
        once(socket, 'unexpected-response').then(([, answer]) => answer.statusCode as number),
      ])
      socket.on('error', () => {}) // a refused socket is closed by the client
      const status = await outcome
      socket.terminate()
      return status
    }
    const origin = `http://127.0.0.1:${port}`
    expect(await knock({ cookie, origin })).toBe(101)
    expect(await knock({ cookie, origin: 'http://evil.example' })).toBe(403)
    expect(await knock({ cookie })).toBe(401)
    expect(await knock({ origin })).toBe(401)
  })
  it('has the prefix of the host over https, and each port its own name', () => {
    expect(cookieName('innkeeper', { host: 'x.example' }, true)).toBe('__Host-innkeeper')
    expect(cookieName('innkeeper', { host: 'x.example:4400' }, false)).toBe('innkeeper-4400')
    const headers = { ...page, host: 'x.example', cookie: 'innkeeper=planted; __Host-innkeeper=own' }
    expect(tokenOf({ headers, protocol: 'https', host: 'x.example' }).token).toBe('own')
  })
})

describe('a sign-in', () => {
  const newsOf = (id: number) =>
    rows<{ title: string }>(
      t.app.db,
      sql`select title from notifications where user_id = ${id} and title like 'Signed in%'`,
    )

  it('takes the e-mail address, and locks both names together', async () => {
    await t.somebody([], 'hugo')
    const signIn = (user: string, password: string) => ask('POST', '/auth/token', {}, { user, password })
    expect((await signIn('Hugo@Example.org', 'password of hugo')).status).toBe(200)
    for (let n = 0; n < 3; n++) {
      await signIn('hugo', 'wrong')
      await signIn('hugo@example.org', 'wrong')
    }
    expect((await signIn('hugo', 'password of hugo')).status).toBe(429)
  })
  it('on a new device is notified; the first one, and known devices, are not', async () => {
    const { id } = await t.somebody([], 'ina')
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const { cookie } = await browser('ina', agent)
    expect(await newsOf(id)).toEqual([])
    await browser('ina', { cookie, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0' })
    expect(await newsOf(id)).toEqual([])
    await browser('ina', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36' })
    expect(await newsOf(id)).toEqual([{ title: 'Signed in on a new device: Chrome on Windows' }])
  })
  it('with a suspended account is refused, and the suspension ends sessions', async () => {
    const admin = await t.somebody('admin')
    const { id, token } = await t.somebody([], 'jon')
    const suspended = await t.call('POST', `/api/auth/users/${id}/suspension`, { token: admin.token })
    expect(suspended).toMatchObject({ status: 200, body: { suspendedAt: expect.any(String) } })
    await expect.poll(async () => (await t.call('GET', '/api/auth/validate', { token })).status).toBe(401)
    const body = { user: 'jon', password: 'password of jon' }
    expect(await t.call('POST', '/api/auth/token', { body })).toMatchObject({
      status: 403,
      body: { code: 'suspended' },
    })
    await t.call('DELETE', `/api/auth/users/${id}/suspension`, { token: admin.token })
    expect((await t.call('POST', '/api/auth/token', { body })).status).toBe(200)
  })
  it('ends by the limits of the role', async () => {
    const limited = async (limit: ReturnType<typeof sql>, age: ReturnType<typeof sql>) => {
      const { id, token } = await t.somebody([])
      await t.app.db.execute(
        sql`update roles set ${limit} where role_id = (select role_id from users where user_id = ${id})`,
      )
      await t.app.db.execute(sql`update sessions set ${age} where user_id = ${id}`)
      return (await t.call('GET', '/api/auth/validate', { token })).status
    }
    const old = sql`created_at = now() - interval '3 hours', last_seen_at = now() - interval '20 minutes'`
    expect(await limited(sql`session_hours = 2`, old)).toBe(401)
    expect(await limited(sql`session_hours = 4`, old)).toBe(200)
    expect(await limited(sql`session_idle_minutes = 10`, old)).toBe(401)
    expect(await limited(sql`session_idle_minutes = 30`, old)).toBe(200)
  })
})
