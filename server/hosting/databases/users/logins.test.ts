import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { databaseUsers } from '../tables.ts'
import { endLogins } from './logins.ts'

let t: TestApp
let admin: string
let server: number
let website: number
let database: number
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })
const carryOut = () => carryOutAll(t.app.db, server, () => ({}))
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin', 'keeper')).token
  server = await enrolled(t.app.db, 'web-logins', { provisionedAt: new Date().toISOString() })
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const wanted = { originServer: server, domain: 'logins.example', plan: 'Business', userId: owner!.id, database: true }
  website = (await call('POST', '/websites', wanted)).body.data.id
  await carryOut()
  database = (await call('GET', `/database/websites/${website}`)).body.items[0].id
})
afterAll(() => t.close())

const open = (body: object, token?: string) => call('POST', `/database/databases/${database}/logins`, body, token)
const ofWebsite = async () => (await call('GET', `/database/users?websiteIds=${website}&search=login_`)).body.items
const inputs = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId))).map(({ name, input }) => ({
    name,
    ...input,
  }))

it('A timed login can read one database, is shown with reason and end, and is deleted when its time is over', async () => {
  const { status, body } = await open({ reason: 'Ticket 4711', minutes: 15 })
  expect([status, body.password]).toEqual([201, expect.stringMatching(/^[A-Za-z0-9]{24}$/)])
  expect(await inputs(body.workflowId)).toMatchObject([
    { name: 'database-user.ensure', grants: [{ database: 'logins_example', privileges: 'read' }], locked: false },
  ])
  await carryOut()
  const [login] = await ofWebsite()
  expect(login).toMatchObject({ status: 'active', login: { reason: 'Ticket 4711', by: expect.any(String) } })
  const left = Date.parse(login.login.endsAt) - Date.now()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(15 * 60_000)
  expect(await endLogins(t.app)).toBe(0)
  const over = { loginEndsAt: new Date(Date.now() - 1000).toISOString() }
  await t.app.db.update(databaseUsers).set(over).where(eq(databaseUsers.id, login.id))
  expect(await endLogins(t.app)).toBe(1)
  await carryOut()
  expect(await ofWebsite()).toEqual([])
  expect((await call('GET', `/database/websites/${website}`)).body.trashedUsers).toEqual([])
  expect(await endLogins(t.app)).toBe(0)
})

it('A login whose deletion and rollback fail releases the lock of its website and is deleted later', async () => {
  const { workflowId } = (await open({ reason: 'Ticket 4712' })).body
  await carryOut()
  const over = { loginEndsAt: new Date(Date.now() - 1000).toISOString() }
  await t.app.db.update(databaseUsers).set(over).where(eq(databaseUsers.workflowId, workflowId))
  for (const failing of ['run', 'both'] as const) {
    await t.app.db.update(databaseUsers).set({ retryAt: null }).where(eq(databaseUsers.loginReason, 'Ticket 4712'))
    expect(await endLogins(t.app)).toBe(1)
    await carryOutAll(t.app.db, server, ({ task }) =>
      failing === 'both' || task === 'run' ? { status: 'failed', reason: 'no disk' } : {},
    )
    const [login] = await ofWebsite()
    expect(login.status).toBe(failing === 'both' ? 'failed' : 'active')
    expect(await endLogins(t.app)).toBe(0)
  }
  expect((await open({ reason: 'while it waits' })).status).toBe(201)
  await carryOut()
  const due = { retryAt: new Date(Date.now() - 1000).toISOString() }
  await t.app.db.update(databaseUsers).set(due).where(eq(databaseUsers.loginReason, 'Ticket 4712'))
  expect(await endLogins(t.app)).toBe(1)
  await carryOut()
  expect((await ofWebsite()).map(({ login }: { login: { reason: string } }) => login.reason)).toEqual([
    'while it waits',
  ])
})

it('A timed login needs a reason, a duration within limits, and a separate permission to write', async () => {
  expect((await open({ minutes: 30 })).body.fields).toHaveProperty('reason')
  for (const minutes of [14, 121]) expect((await open({ reason: 'x', minutes })).body.fields).toHaveProperty('minutes')
  const { token } = await t.somebody(['database:login:create'])
  const denied = await open({ reason: 'x', privileges: 'all' }, token)
  expect([denied.status, denied.body.message]).toEqual([403, 'Needs “Open timed logins to databases that may write”'])
  expect((await open({ reason: 'x' }, token)).status).toBe(201)
  await carryOut()
})

it('A timed login is refused while the website is suspended', async () => {
  await call('PATCH', `/websites/${website}`, { status: 'suspended' })
  await carryOut()
  expect((await open({ reason: 'x' })).status).toBe(422)
})
