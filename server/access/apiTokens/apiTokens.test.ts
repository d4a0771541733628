import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { isTokenValue, newTokenValue } from '../../kit/access/tokens.ts'
import { rows } from '../../kit/db/db.ts'
import { rates } from '../../kit/http/tokenRules.ts'
import { changed } from '../../kit/live/live.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { notifyOfExpiry } from './expiry.ts'

let t: TestApp
let admin: string
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
})
afterAll(() => t.close())

let names = 0
interface Made {
  id: number
  value: string
}
/** Makes a token by the call; fields of the call may be given. */
async function make(token: string, scopes: string[], more: object = {}): Promise<Made> {
  const { status, body } = await t.call('POST', '/api/api-tokens', {
    token,
    body: { name: `t${++names}`, scopes, ...more },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.token.id, value: body.value }
}
const zones = (token: string) => t.call('GET', '/api/dns/zones', { token })
const READ = 'dns:zone:read'

it('has a value that scanners recognise, with a checksum', () => {
  const value = newTokenValue()
  expect(value).toMatch(/^ink_[0-9A-Za-z]{42}$/)
  expect(isTokenValue(value)).toBe(true)
  const other = value.at(10) === 'a' ? 'b' : 'a'
  expect(isTokenValue(`${value.slice(0, 10)}${other}${value.slice(11)}`)).toBe(false)
  expect(new Set(Array.from({ length: 50 }, newTokenValue)).size).toBe(50)
})

describe('a token', () => {
  let person: { id: number; token: string }
  beforeEach(async () => {
    person = await t.somebody([READ, 'api:token:create', 'users:department:create'])
  })

  it('acts as its owner with its own permissions only, and the log names it', async () => {
    const { value } = await make(person.token, [READ], { name: `only zones ${person.id}` })
    expect((await zones(value)).status).toBe(200)
    const refused = await t.call('POST', '/api/auth/departments', { token: value, body: { name: 'X' } })
    expect(refused).toMatchObject({ status: 403, body: { message: 'Needs “Create departments”' } })
    const [row] = await rows<{ name: string; by: number }>(
      t.app.db,
      sql`select staff_name as name, staff_id as by from action_logs where result = 'denied' order by action_log_id desc limit 1`,
    )
    expect(row).toEqual({ name: expect.stringMatching(/ \(token only zones \d+\)$/), by: person.id })
  })

  it('is stored as a hash, and no list shows its value', async () => {
    const { value } = await make(person.token, [READ])
    const { body } = await t.call('GET', '/api/api-tokens', { token: person.token })
    expect(JSON.stringify(body)).not.toContain(value)
    expect(body.items[0]).toMatchObject({ begins: value.slice(0, 8), state: 'valid', scopes: [READ] })
    const [found] = await rows(t.app.db, sql`select from api_tokens x where x::text like ${`%${value}%`}`)
    const [logged] = await rows(t.app.db, sql`select from action_logs x where x::text like ${`%${value}%`}`)
    expect([found, logged]).toEqual([undefined, undefined])
  })

  it('loses a permission at the moment when its owner loses the permission', async () => {
    const { value } = await make(person.token, [READ, 'users:department:create'])
    expect((await zones(value)).status).toBe(200)
    const [role] = await rows<{ id: number }>(
      t.app.db,
      sql`select role_id as id from users where user_id = ${person.id}`,
    )
    const body = { scopes: ['api:token:create', 'users:department:create'] }
    expect((await t.call('PATCH', `/api/auth/roles/${role!.id}`, { token: admin, body })).status).toBe(200)
    await expect.poll(async () => (await zones(value)).status).toBe(403)
    const made = await t.call('POST', '/api/auth/departments', { token: value, body: { name: `D${person.id}` } })
    expect(made.status).toBe(201)
  })

  it('ends with the account of its owner', async () => {
    const { value } = await make(person.token, [READ])
    expect((await zones(value)).status).toBe(200)
    expect((await t.call('DELETE', `/api/auth/users/${person.id}`, { token: admin, body: {} })).status).toBe(204)
    await expect.poll(async () => (await zones(value)).status).toBe(401)
  })

  it('ends when it is revoked, expires, or its owner is signed out by somebody else', async () => {
    const [revoked, expired, ended] = [
      await make(person.token, [READ]),
      await make(person.token, [READ]),
      await make(person.token, [READ]),
    ]
    await zones(revoked.value)
    expect((await t.call('DELETE', `/api/api-tokens/${revoked.id}`, { token: person.token })).status).toBe(204)
    expect((await zones(revoked.value)).status).toBe(401)
    await t.app.db.execute(sql`update api_tokens set expires_at = now() where api_token_id = ${expired.id}`)
    expect(await zones(expired.value)).toMatchObject({ status: 401, body: { code: 'token-expired' } })
    await t.app.sessions.endAll(t.app.db, person.id)
    expect((await zones(ended.value)).status).toBe(401)
  })

  it('has two values for some hours after a rotation', async () => {
    const { id, value } = await make(person.token, [READ])
    const turn = async (oldValidHours: number): Promise<string> => {
      const body = { days: 30, oldValidHours }
      return (await t.call('POST', `/api/api-tokens/${id}/rotate`, { token: person.token, body })).body.value
    }
    const second = await turn(1)
    expect([(await zones(value)).status, (await zones(second)).status]).toEqual([200, 200])
    const third = await turn(0)
    expect([(await zones(value)).status, (await zones(second)).status, (await zones(third)).status]).toEqual([
      401, 401, 200,
    ])
  })

  it('is accepted from its networks only', async () => {
    const { value } = await make(person.token, [READ], { networks: ['10.0.0.0/8'] })
    expect(await zones(value)).toMatchObject({ status: 403, body: { message: expect.stringContaining('127.0.0.1') } })
    const { value: near } = await make(person.token, [READ], { networks: ['127.0.0.0/8'] })
    expect((await zones(near)).status).toBe(200)
  })

  it('is limited in its calls per minute, with the usual headers', async () => {
    const { value } = await make(person.token, [READ], { perMinute: 2 })
    const ask = () => t.http.inject({ url: '/api/dns/zones', headers: { authorization: `Bearer ${value}` } })
    const [first, , third] = [await ask(), await ask(), await ask()]
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' })
    expect(third.statusCode).toBe(429)
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('makes no call that is for people: sign-in, own data, other tokens', async () => {
    const every = await make(admin, ['users:user:update', 'api:token:create', 'api:token:revoke', READ])
    for (const [method, path, body] of [
      ['PATCH', '/api/auth/password', { current: 'x', password: 'a long password 1' }],
      ['POST', '/api/auth/second-factor', { password: 'x' }],
      ['GET', '/api/auth/sessions', undefined],
      ['GET', '/api/api-tokens', undefined],
      ['POST', '/api/api-tokens', { name: 'more', scopes: [READ] }],
      ['POST', `/api/api-tokens/${every.id}/rotate`, {}],
      ['DELETE', `/api/api-tokens/${every.id}`, undefined],
    ] as const)
      expect(await t.call(method, path, { token: every.value, body }), path).toMatchObject({
        status: 403,
        body: { message: 'Programs with a token may not make this call: it is for people' },
      })
    expect((await t.call('GET', '/api/api-tokens/current', { token: every.value })).body.id).toBe(every.id)
  })

  it('is never an administrator, whatever its owner is', async () => {
    const { value } = await make(admin, ['users:user:update', 'users:user:read'])
    const { status, body } = await t.call('PATCH', `/api/auth/users/${person.id}`, {
      token: value,
      body: { isAdmin: true },
    })
    expect({ status, code: body.code }).toMatchObject({ status: expect.toSatisfy((n) => n === 403 || n === 422) })
  })

  it('gets no permission that its maker lacks, nor more days than a year', async () => {
    const ask = (body: object) =>
      t.call('POST', '/api/api-tokens', { token: person.token, body: { name: 'n', scopes: [READ], ...body } })
    expect(await ask({ scopes: ['dns:zone:delete'] })).toMatchObject({
      status: 422,
      body: { fields: { scopes: expect.any(String) } },
    })
    expect(await ask({ days: 366 })).toMatchObject({ status: 400, body: { fields: { days: expect.any(String) } } })
    expect(await ask({ networks: ['nowhere'] })).toMatchObject({ status: 400 })
  })

  it('of somebody else is not found', async () => {
    const { id } = await make(admin, [READ])
    expect((await t.call('DELETE', `/api/api-tokens/${id}`, { token: person.token })).status).toBe(404)
    const manager = await t.somebody(['api:token:create', 'api:service-account:update'])
    expect((await t.call('POST', `/api/api-tokens/${id}/rotate`, { token: manager.token, body: {} })).status).toBe(404)
  })

  it('notes its last use, at most once a minute, and its owner hears of its end', async () => {
    const { id, value } = await make(person.token, [READ], { days: 3 })
    await zones(value)
    const used = async () =>
      (await t.call('GET', '/api/api-tokens', { token: person.token })).body.items.find((one: Made) => one.id === id)
    const first = await used()
    expect(first).toMatchObject({ lastUsedIp: '127.0.0.1', lastUsedAt: expect.any(String) })
    await zones(value)
    expect((await used()).lastUsedAt).toBe(first.lastUsedAt)
    await notifyOfExpiry(t.app)
    await notifyOfExpiry(t.app)
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: person.token })
    expect(body.items.filter(({ title }: { title: string }) => /expires in 3 days/.test(title))).toHaveLength(1)
  })
})

describe('an open socket of a token', () => {
  const open = async (value: string) => {
    if (!t.http.server.listening) await t.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.http.server.address() as AddressInfo // the server listens on a TCP port
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['innkeeper', value])
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve).on('error', resolve))
    return { socket, closed }
  }
  it('is closed when the token is revoked, and hears only what the token may read', async () => {
    const { id, value } = await make(admin, [READ])
    const { socket, closed } = await open(value)
    const heard: string[] = []
    socket.on('message', (data) => heard.push(String(data)))
    await changed(t.app.db, 'roles', 1)
    await changed(t.app.db, 'dns', 1)
    await expect.poll(() => heard.length).toBe(1)
    expect(heard[0]).toContain('dns')
    expect((await t.call('DELETE', `/api/api-tokens/${id}`, { token: admin })).status).toBe(204)
    expect(await closed).toBe(4401)
  })

  it('is closed when its owner leaves the department of the token', async () => {
    const { body: department } = await t.call('POST', '/api/auth/departments', {
      token: admin,
      body: { name: `D${++names}` },
    })
    const person = await t.somebody([READ, 'api:token:create'])
    const move = (fields: object) =>
      t.call('PATCH', `/api/auth/departments/${department.id}`, { token: admin, body: fields })
    expect((await move({ add: [person.id] })).status).toBe(200)
    await t.app.sessions.endAll(t.app.db, person.id)
    const fresh = await t.app.sessions.open(t.app.db, person.id, { ip: null, userAgent: null })
    const { value } = await make(fresh, [READ], { departmentId: department.id })
    const { closed } = await open(value)
    expect((await move({ remove: [person.id] })).status).toBe(200)
    expect(await closed).toBe(4401)
    expect((await zones(value)).status).toBe(401)
  })
})

describe('a service account', () => {
  const account = async (fields: object = {}) =>
    (await t.call('POST', '/api/service-accounts', { token: admin, body: { name: `robot ${++names}`, ...fields } }))
      .body

  it('works by tokens, with the rights of its role, and is no person', async () => {
    const role = (
      await t.call('POST', '/api/auth/roles', { token: admin, body: { name: `r${++names}`, scopes: [READ] } })
    ).body
    const robot = await account({ roleId: role.id })
    const { value } = await make(admin, [READ, 'dns:zone:create'], { serviceAccountId: robot.id })
    expect((await zones(value)).status).toBe(200)
    expect((await t.call('POST', '/api/dns/zones', { token: value, body: { domain: 'a.example' } })).status).toBe(403)
    const people = await t.call('GET', `/api/auth/users?search=${encodeURIComponent(robot.name)}`, { token: admin })
    expect(people.body.total).toBe(0)
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/link'],
      ['DELETE', ''],
    ] as const)
      expect((await t.call(method, `/api/auth/users/${robot.id}${path}`, { token: admin, body: {} })).status).toBe(404)
    const away = await t.call('PATCH', `/api/service-accounts/${robot.id}`, { token: admin, body: { roleId: null } })
    expect(away.status).toBe(200)
    await expect.poll(async () => (await zones(value)).status).toBe(403)
    expect((await t.call('DELETE', `/api/service-accounts/${robot.id}`, { token: admin, body: {} })).status).toBe(204)
    await expect.poll(async () => (await zones(value)).status).toBe(401)
  })

  it('is given tokens only by people who reach it', async () => {
    const role = (
      await t.call('POST', '/api/auth/roles', { token: admin, body: { name: `r${++names}`, scopes: [READ] } })
    ).body
    const robot = await account({ roleId: role.id })
    const weak = await t.somebody(['api:token:create', 'api:service-account:update'])
    const body = { name: 'x', scopes: ['api:token:create'], serviceAccountId: robot.id }
    expect((await t.call('POST', '/api/api-tokens', { token: weak.token, body })).status).toBe(403)
  })

  it('and its tokens get no role and no department beyond the reach of whoever makes them', async () => {
    const body = { name: `r${++names}`, scopes: ['dns:zone:delete'] }
    const role = (await t.call('POST', '/api/auth/roles', { token: admin, body })).body
    const dept = (await t.call('POST', '/api/auth/departments', { token: admin, body: { name: `D${++names}` } })).body
    const verbs = ['create', 'update'].map((verb) => `api:service-account:${verb}`)
    const { token } = await t.somebody([READ, 'api:token:create', 'users:role:assign', ...verbs])
    const ask = (fields: object) =>
      t.call('POST', '/api/service-accounts', { token, body: { name: `robot ${++names}`, ...fields } })
    expect((await ask({ roleId: role.id })).status).toBe(422)
    expect((await ask({ departmentId: dept.id })).status).toBe(403)
    const own = await ask({})
    expect(own.status).toBe(201)
    const change = (fields: object) => t.call('PATCH', `/api/service-accounts/${own.body.id}`, { token, body: fields })
    expect([(await change({ roleId: role.id })).status, (await change({ departmentId: dept.id })).status]).toEqual([
      422, 403,
    ])
    const foreign = { name: 'x', scopes: [READ], departmentId: dept.id }
    expect((await t.call('POST', '/api/api-tokens', { token, body: foreign })).status).toBe(422)
  })

  it('passes on with the other things of its owner', async () => {
    const [leaver, heir] = [await t.somebody([]), await t.somebody([])]
    const robot = await account({ ownerId: leaver.id })
    const remove = (body: object) => t.call('DELETE', `/api/auth/users/${leaver.id}`, { token: admin, body })
    expect(await remove({})).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('service accounts: 1') },
    })
    expect((await remove({ heir: heir.id })).status).toBe(204)
    expect((await t.call('GET', `/api/service-accounts/${robot.id}`, { token: admin })).body.ownerId).toBe(heir.id)
  })
})

describe('Idempotency-Key', () => {
  const ask = async (token: string, key: string, payload: object) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' }
    const answer = await t.http.inject({ method: 'POST', url: '/api/auth/departments', headers, payload })
    return { status: answer.statusCode, body: answer.json(), again: answer.headers['idempotency-replayed'] }
  }
  const count = async (name: string) =>
    (await rows<{ n: number }>(t.app.db, sql`select count(*)::int as n from departments where name = ${name}`))[0]?.n

  it('gives the first answer again, and refuses another body', async () => {
    const first = await ask(admin, 'k1', { name: 'Once', description: 'a' })
    const again = await ask(admin, 'k1', { description: 'a', name: 'Once' })
    expect(first).toMatchObject({ status: 201, again: undefined })
    expect(again).toEqual({ ...first, again: 'true' })
    expect(await count('Once')).toBe(1)
    expect(await ask(admin, 'k1', { name: 'Twice' })).toMatchObject({ status: 422, body: { code: 'idempotency-key' } })
  })

  it('belongs to its actor, and ends after a day', async () => {
    await ask(admin, 'k2', { name: 'Mine' })
    const other = await t.somebody(['users:department:create'])
    expect((await ask(other.token, 'k2', { name: 'Mine' })).status).toBe(409) // the name is taken: the call ran
    await t.app.db.execute(sql`update idempotency_keys set created_at = now() - interval '25 hours'`)
    expect((await ask(admin, 'k2', { name: 'Mine' })).status).toBe(409)
  })

  it('is forgotten with a call that fails', async () => {
    const key = 'k3'
    expect((await ask(admin, key, { name: 'Mine' })).status).toBe(409)
    expect((await ask(admin, key, { name: 'Free now' })).status).toBe(201)
  })

  it('does not store what is shown once in the clear', async () => {
    const headers = { authorization: `Bearer ${admin}`, 'idempotency-key': 'k4' }
    const payload = { name: 'secret once', scopes: [READ] }
    const make = async () =>
      (await t.http.inject({ method: 'POST', url: '/api/api-tokens', headers, payload })).json().value
    const value = await make()
    expect(await make()).toBe(value)
    const [found] = await rows(t.app.db, sql`select from idempotency_keys x where x::text like ${`%${value}%`}`)
    expect(found).toBeUndefined()
  })

  it('knows the request, and not its answer, after a customer was erased', async () => {
    expect((await ask(admin, 'k6', { name: 'Quotes somebody' })).status).toBe(201)
    const body = { email: 'nobody@example.org' }
    const erased = await t.call('POST', '/api/qa-controller-v2/customers/erase', { token: admin, body })
    expect(erased.status).toBe(200)
    const again = await ask(admin, 'k6', { name: 'Quotes somebody' })
    expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('was carried out') } })
    expect(await count('Quotes somebody')).toBe(1)
  })

  it('is refused where a call could run twice anyway', async () => {
    const headers = { authorization: `Bearer ${admin}`, 'idempotency-key': 'k5' }
    const answer = await t.http.inject({ method: 'DELETE', url: '/api/auth/departments/1', headers })
    expect(answer.statusCode).toBe(400)
  })
})

it('counts calls of ten thousand tokens in bounded memory', () => {
  let now = 0
  const counted = rates(() => now, 3)
  for (let id = 1; id <= 5; id++) expect(counted.count({ id, perMinute: 1 }).left).toBe(0)
  expect(counted.count({ id: 5, perMinute: 1 }).left).toBe(-1)
  now = 60_000
  expect(counted.count({ id: 5, perMinute: 1 }).left).toBe(0)
})
