import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { closeElevations } from './ending.ts'

let t: TestApp
let admin: { id: number; token: string }
/** Has all that the tests ask for, and grants it. */
let grantor: { id: number; token: string }
const READ = 'dns:zone:read'
const CREATE = 'users:department:create'

beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
  grantor = await t.somebody([READ, CREATE, 'users:elevation:grant', 'users:role:assign', 'api:token:create'])
})
afterAll(() => t.close())

const ask = (token: string, more: object = {}) =>
  t.call('POST', '/api/auth/elevations', {
    token,
    body: { scopes: [READ], minutes: 60, reason: 'A zone is broken', ...more },
  })
const grant = (id: number, token = grantor.token) =>
  t.call('POST', `/api/auth/elevations/${id}/grant`, { token, body: {} })
const end = (id: number, token: string) => t.call('DELETE', `/api/auth/elevations/${id}`, { token })
const zones = async (token: string) => (await t.call('GET', '/api/dns/zones', { token })).status
const stateOf = async (id: number) => {
  const { body } = await t.call('GET', '/api/auth/elevations?itemsPerPage=200', { token: admin.token })
  return body.items.find((one: { id: number }) => one.id === id)
}
/** Somebody whose request for the permissions was granted. */
async function elevated(scopes = [READ]): Promise<{ id: number; token: string; elevation: number }> {
  const person = await t.somebody([])
  const { body } = await ask(person.token, { scopes })
  expect((await grant(body.id)).status).toBe(200)
  await expect
    .poll(async () => (await t.call('GET', '/api/auth/validate', { token: person.token })).body.user.scopes)
    .toEqual(scopes)
  return { ...person, elevation: body.id }
}
/** Lets the time of an elevation pass. */
const pass = (id: number) =>
  t.app.db.execute(sql`update elevations set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second'
    where elevation_id = ${id}`)

it('begins with the word of a second person, who may not be oneself, and lacks nothing of it', async () => {
  const person = await t.somebody(['users:elevation:grant'])
  const { body: asked, status } = await ask(person.token)
  expect([status, asked.state, asked.atOnce]).toEqual([201, 'asked', false])
  expect(await zones(person.token)).toBe(403)
  expect(await grant(asked.id, person.token)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('yourself') },
  })
  const other = await t.somebody(['users:elevation:grant'])
  expect(await grant(asked.id, other.token)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining(READ) },
  })
  expect(await ask(person.token)).toMatchObject({ status: 409 })
  const [told] = await rows(
    t.app.db,
    sql`select from notifications where user_id = ${grantor.id} and title like '%asks for “See DNS zones” for%'`,
  )
  expect(told).toBeDefined()
  expect(await grant(asked.id)).toMatchObject({ status: 200, body: { state: 'held', decidedById: grantor.id } })
  await expect.poll(() => zones(person.token)).toBe(200)
  expect(await grant(asked.id)).toMatchObject({ status: 409 })
})

it('begins at once by a rule, ends by hand, and the log names the calls that it allowed', async () => {
  const body = { way: 'at-once', scopes: [CREATE], maxMinutes: 30 }
  expect((await t.call('POST', '/api/auth/elevations/rules', { token: admin.token, body })).status).toBe(201)
  const person = await t.somebody([])
  expect(await ask(person.token, { scopes: [CREATE] })).toMatchObject({
    status: 422,
    body: { fields: { minutes: 'At most 30 minutes' } },
  })
  const { body: held } = await ask(person.token, { scopes: [CREATE], minutes: 30 })
  expect(held).toMatchObject({ state: 'held', atOnce: true })
  const create = () => t.call('POST', '/api/auth/departments', { token: person.token, body: { name: `D${person.id}` } })
  await expect.poll(async () => (await create()).status).not.toBe(403)
  const [logged] = await rows(
    t.app.db,
    sql`select from action_logs where staff_id = ${person.id} and staff_name like '% (elevated)' and result = 'success'`,
  )
  expect(logged).toBeDefined()
  expect(await end(held.id, person.token)).toMatchObject({ status: 200, body: { state: 'ended', ending: 'hand' } })
  await expect.poll(async () => (await create()).status).toBe(403)
  expect(await end(held.id, person.token)).toMatchObject({ status: 409 })
  const whole = await rows(
    t.app.db,
    sql`select action, subject from action_logs where resource = 'elevation' and resource_id = ${String(held.id)}
      and result = 'success' order by action_log_id`,
  )
  expect(whole).toEqual(['ask', 'end'].map((action) => ({ action, subject: held.userName })))
})

it('is refused by a rule that says never, also as a part of more', async () => {
  const body = { way: 'never', scopes: ['users:user:delete'] }
  await t.call('POST', '/api/auth/elevations/rules', { token: admin.token, body })
  const person = await t.somebody([])
  expect((await ask(person.token, { scopes: ['users:user:delete', READ] })).status).toBe(422)
})

it('takes rules only from people who have what a rule gives, and reach whom it gives it to', async () => {
  const maker = await t.somebody(['users:elevation:read', 'users:elevation:update'])
  const rule = async (body: object) =>
    (await t.call('POST', '/api/auth/elevations/rules', { token: maker.token, body: { way: 'at-once', ...body } }))
      .status
  expect(await rule({ scopes: [READ] })).toBe(422)
  expect(await rule({ scopes: ['users:elevation:read'] })).toBe(403) // for everybody
  const [role] = await rows<{ id: number }>(
    t.app.db,
    sql`select role_id as id from users where user_id = ${grantor.id}`,
  )
  expect(await rule({ scopes: ['users:elevation:read'], forRoleId: role!.id })).toBe(403)
  expect(await rule({ roleId: role!.id, forRoleId: role!.id })).toBe(403)
  const body = { way: 'at-once', scopes: ['users:user:update'], forRoleId: 2_147_483_647 }
  expect(await t.call('POST', '/api/auth/elevations/rules', { token: admin.token, body })).toMatchObject({
    status: 422,
    body: { fields: { forRoleId: 'Is gone. Choose another.' } },
  })
})

describe('ends', () => {
  it('by itself, on every node and screen, and is logged', async () => {
    const person = await elevated()
    await t.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.http.server.address() as AddressInfo // it listens on a port
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?jwt=${person.token}`)
    const heard: { event: string; data: { scopes?: string[] } }[] = []
    socket.on('message', (text) => heard.push(JSON.parse(String(text))))
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    await pass(person.elevation)
    expect((await stateOf(person.elevation)).state).toBe('ended')
    await closeElevations(t.app)
    await expect.poll(() => heard.find(({ event }) => event === 'roleUpdated')?.data.scopes).toEqual([])
    socket.terminate()
    expect(await zones(person.token)).toBe(403)
    const [logged] = await rows(
      t.app.db,
      sql`select from action_logs where resource = 'elevation' and resource_id = ${String(person.elevation)} and action = 'end'`,
    )
    expect(logged).toBeDefined()
  })

  it('without anybody who notices, when a node reads the session again', async () => {
    const person = await elevated()
    await pass(person.elevation)
    const staff = await t.app.sessions.byKey(
      (await t.call('GET', '/api/auth/validate', { token: person.token })).body.user.wsKey,
    )
    expect(staff).toMatchObject({ scopes: [], elevated: [], elevatedUntil: null })
  })

  it.each([
    ['the role of the person', (id: number) => sql`update users set role_id = null where user_id = ${id}`],
    ['the suspension of the person', (id: number) => sql`update users set suspended_at = now() where user_id = ${id}`],
  ])('with %s', async (_, change) => {
    const person = await elevated()
    await t.app.db.execute(change(person.id))
    await t.app.db.execute(sql`update users set suspended_at = null where user_id = ${person.id}`)
    expect(await stateOf(person.elevation)).toMatchObject({ state: 'ended', ending: 'rights' })
  })

  it('with the role that was asked for, and shrinks with it', async () => {
    const made = await t.call('POST', '/api/auth/roles', {
      token: admin.token,
      body: { name: 'On call', scopes: [READ, CREATE] },
    })
    const role = made.body.id
    const person = await t.somebody([])
    const { body: asked } = await ask(person.token, { scopes: [], roleId: role })
    expect((await grant(asked.id)).status).toBe(200)
    await expect.poll(() => zones(person.token)).toBe(200)
    await t.call('PATCH', `/api/auth/roles/${role}`, { token: admin.token, body: { scopes: [CREATE] } })
    await expect.poll(() => zones(person.token)).toBe(403)
    await t.call('DELETE', '/api/auth/roles', { token: admin.token, body: { id: role } })
    expect(await stateOf(asked.id)).toMatchObject({ state: 'ended', ending: 'rights' })
  })

  it('as a request that nobody answered', async () => {
    const person = await t.somebody([])
    const { body: asked } = await ask(person.token)
    await t.app.db.execute(
      sql`update elevations set created_at = now() - interval '2 days' where elevation_id = ${asked.id}`,
    )
    expect((await grant(asked.id)).status).toBe(409)
    await closeElevations(t.app)
    expect(await stateOf(asked.id)).toMatchObject({ state: 'lapsed', ending: 'unanswered' })
    expect((await ask(person.token)).status).toBe(201)
  })
})

describe('cannot be handed on', () => {
  it('to a token, which would outlive it', async () => {
    const person = await elevated([READ, 'api:token:create'].sort())
    const body = { name: 'stays', scopes: [READ] }
    const answer = await t.call('POST', '/api/api-tokens', { token: person.token, body })
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('for some time only') } })
  })

  it('to a program: a token that its owner made before has no more than before', async () => {
    const person = await t.somebody([CREATE, 'api:token:create'])
    const { body: made } = await t.call('POST', '/api/api-tokens', {
      token: person.token,
      body: { name: 'reads', scopes: [CREATE] },
    })
    await t.app.db.execute(
      sql`update api_tokens set scopes = ${sql.param([READ])}::text[] where api_token_id = ${made.token.id}`,
    )
    const { body: asked } = await ask(person.token)
    await grant(asked.id)
    await expect.poll(() => zones(person.token)).toBe(200)
    expect(await zones(made.value)).toBe(403)
  })

  it('to somebody else, by the word of an elevated person or by a role', async () => {
    const person = await elevated([READ, 'users:elevation:grant', 'users:role:assign'].sort())
    const other = await t.somebody([])
    const { body: asked } = await ask(other.token)
    expect((await grant(asked.id, person.token)).status).toBe(403)
    const made = await t.call('POST', '/api/auth/roles', {
      token: admin.token,
      body: { name: `R${other.id}`, scopes: [READ] },
    })
    const body = { users: [other.id], role: made.body.id }
    expect((await t.call('PATCH', '/api/auth/roles/users', { token: person.token, body })).status).toBe(422)
  })

  it('and protects whoever has it: their sign-in is changed by people with the same rights', async () => {
    const person = await elevated()
    const support = await t.somebody(['users:user:read', 'users:user:update'])
    const link = await t.call('POST', `/api/auth/users/${person.id}/link`, { token: support.token, body: {} })
    expect(link.status).toBe(403)
  })

  it('and does not begin while somebody with fewer rights could have the sign-in', async () => {
    const person = await t.somebody([])
    const maker = await t.somebody(['users:user:update'])
    await t.app.db.execute(
      sql`update users set let_in_by_id = ${maker.id}, let_in_at = now() where user_id = ${person.id}`,
    )
    const { body: asked } = await ask(person.token)
    expect(await grant(asked.id)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('new sign-in link') },
    })
    expect(await zones(person.token)).toBe(403)
  })
})

it('shows people their own, and everybody’s to those who see or grant them', async () => {
  const [mine, theirs] = [await elevated(), await elevated()]
  const { body } = await t.call('GET', '/api/auth/elevations', { token: mine.token })
  expect(body.items.map(({ id }: { id: number }) => id)).toEqual([mine.elevation])
  expect((await end(theirs.elevation, mine.token)).status).toBe(404)
  const { body: held } = await t.call('GET', '/api/auth/elevations/held', { token: mine.token })
  expect(held.total).toBe(1)
  const { body: all } = await t.call('GET', '/api/auth/elevations?state=held&itemsPerPage=200', {
    token: grantor.token,
  })
  expect(all.total).toBeGreaterThan(1)
  expect((await end(theirs.elevation, grantor.token)).status).toBe(200)
})
