import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actions } from '../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'

let t: TestApp
let admin: string
let server: number
let website: number
const engine = 'postgresql'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
const carryOut = () => carryOutAll(t.app.db, server, () => ({}))
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin', 'keeper')).token
  server = await enrolled(t.app.db, 'web-postgres', { provisionedAt: new Date().toISOString() })
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const wanted = { originServer: server, domain: 'pg.example', plan: 'Business', userId: owner!.id, database: true }
  website = (await call('POST', '/websites', wanted)).body.data.id
  await carryOut()
})
afterAll(() => t.close())

const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => ({ ...input, did: name }),
  )
const mine = async () => (await call('GET', `/database/databases?engine=postgresql&websiteIds=${website}`)).body.items
const engines = (plan: Record<string, unknown>[]) =>
  plan.filter(({ did }) => /^database/.test(String(did))).map((one) => one.engine)

it('A website with a MariaDB database gets a PostgreSQL one under another name, after the engine is installed', async () => {
  expect(
    (await call('POST', '/database/databases', { websiteId: website, engine, name: 'db_pg_example' })).status,
  ).toBe(409)
  const { status, body } = await call('POST', '/database/databases', { websiteId: website, engine })
  expect([status, body.data]).toMatchObject([201, { engine, charset: 'UTF8', collation: 'C.UTF-8' }])
  const plan = await planOf(body.workflowId)
  expect(plan.map(({ did }) => did)).toEqual([
    ...['packages.ensure', 'postgresql.ensure', 'postgresql-access.ensure', 'database.ensure', 'database-user.ensure'],
  ])
  expect(plan[3]).toMatchObject({ engine, name: 'db_pg_example_2', charset: 'UTF8' })
  expect(plan[4]).toMatchObject({ engine, grants: [{ database: 'db_pg_example_2', privileges: 'all' }] })
  await carryOut()
  const [made] = await mine()
  expect(made).toMatchObject({ status: 'active', connection: { port: 5432, socket: '/run/postgresql' } })
  expect(made.users).toHaveLength(1)
})

it('Options that PostgreSQL lacks are refused beside the field', async () => {
  const create = async (more: object) =>
    (await call('POST', '/database/databases', { websiteId: website, engine, ...more })).body.fields
  expect(await create({ charset: 'latin1' })).toHaveProperty('charset')
  expect(await create({ collation: 'utf8mb4_bin' })).toHaveProperty('collation')
  expect(await create({ name: 'a'.repeat(64) })).toHaveProperty('name')
  expect(await create({ name: 'template1' })).toHaveProperty('name')
  expect(await create({ username: 'pg_monitor' })).toHaveProperty('username')
  const [{ id }] = await mine()
  const user = async (more: object) =>
    (await call('POST', '/database/users', { websiteId: website, engine, username: 'reader', ...more })).body.fields
  expect(await user({ host: '10.0.0.0/8' })).toHaveProperty('host')
  expect(await user({ databases: [{ id, privileges: 'custom', chosen: ['drop'] }] })).toHaveProperty('databases')
  expect(await user({ engine: 'mariadb', databases: [{ id }] })).toHaveProperty('databases')
  const change = async (more: object) => (await call('PATCH', `/database/databases/${id}`, more)).body.fields
  expect(await change({ charset: 'latin1' })).toHaveProperty('charset')
  expect(await change({ tables: true })).toHaveProperty('tables')
})

it('Every operation on PostgreSQL names the engine: rename, account, lock, rotation, export, deletion, restore', async () => {
  const [{ id }] = await mine()
  const begun = async (...asked: Parameters<typeof call>) => {
    const { status, body } = await call(...asked)
    expect([status < 300, body]).toMatchObject([true, {}])
    const plan = await planOf(body.workflowId)
    await carryOut()
    return engines(plan)
  }
  const all = (found: unknown[]) => expect(found.length && found.every((one) => one === engine)).toBe(true)
  all(await begun('PATCH', `/database/databases/${id}`, { name: 'pg_two' }))
  const chosen = ['select', 'insert']
  all(
    await begun('POST', '/database/users', {
      ...{ websiteId: website, engine, username: 'writer', databases: [{ id, privileges: 'custom', chosen }] },
    }),
  )
  const [user] = (await call('GET', `/database/users?engine=postgresql&search=writer`)).body.items
  expect(user).toMatchObject({ engine, databases: [{ name: 'pg_two', chosen }] })
  all(await begun('PATCH', `/database/users/${user.id}`, { locked: true }))
  // a PostgreSQL account is one for all hosts: a new host removes no former account
  expect(await begun('PATCH', `/database/users/${user.id}`, { host: '198.51.100.7', locked: false })).toEqual([engine])
  expect((await call('GET', `/database/users/${user.id}`)).body.host).toBe('198.51.100.7')
  all(await begun('POST', `/database/users/${user.id}/password`, {}))
  all(await begun('POST', `/database/databases/${id}/exports`, {}))
  all(await begun('DELETE', `/database/databases/${id}`, { name: 'pg_two' }))
  all(await begun('POST', `/database/databases/${id}/restore`, {}))
  expect((await mine())[0]).toMatchObject({ status: 'active', name: 'pg_two' })
})

it('A PostgreSQL database is suspended, deleted and restored with its website', async () => {
  const first = await call('PATCH', `/websites/${website}`, { status: 'suspended' })
  const plan = await planOf(first.body.workflowId)
  expect(engines(plan)).toContain(engine)
  expect(plan.find((one) => 'engine' in one)).toMatchObject({ locked: true })
  await carryOut()
  await call('PATCH', `/websites/${website}`, { status: 'active' })
  await carryOut()
  const gone = await call('DELETE', `/websites/${website}`)
  expect(engines(await planOf(gone.body.workflowId)).filter((one) => one === engine).length).toBeGreaterThan(1)
})
