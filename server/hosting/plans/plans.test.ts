import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, carryOut, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' })
  server = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const base = '/api/system-user/plans'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: unknown) =>
  t.call(method, `${base}${path}`, { token: admin, ...(body !== undefined && { body }) })
let names = 0
const plan = async (more: object = {}) =>
  (await call('POST', '', { name: `Plan ${++names}`, ...more })).body as { id: number; name: string; version: number }

/** Creates a website on this plan with an account of its own. */
async function website(planId: number, domain: string) {
  const { body } = await t.call('POST', '/api/websites', {
    token: admin,
    body: { originServer: server, domain, userId: 1, plan: planId },
  })
  for (const { serverId } of (await actionsOf(t.app.db, body.workflowId)).filter((a) => a.serverId))
    await carryOut(t.app.db, serverId, { output: { uid: 1001 } })
  await carryOut(t.app.db, null)
  return body.data as { id: number; systemUserId: number }
}

describe('a plan', () => {
  it('is created from a name alone, or with all limits', async () => {
    expect(await call('POST', '', { name: 'Named only' })).toMatchObject({
      status: 201,
      body: { name: 'Named only', websites: 5, phpVersions: ['8.2'], systemUsers: 0, version: 1 },
    })
    expect(
      await call('POST', '', { name: 'Whole', memoryMb: 2048, mailboxes: 0, phpVersions: ['8.2', '8.4'] }),
    ).toMatchObject({
      status: 201,
      body: { memoryMb: 2048, mailboxes: 0, phpVersions: ['8.2', '8.4'] },
    })
  })
  it('has a name that is unique regardless of case, and limits that a server can enforce', async () => {
    const { name } = await plan()
    expect(await call('POST', '', { name: name.toUpperCase() })).toMatchObject({
      status: 409,
      body: { fields: { name: expect.stringContaining('Another plan') } },
    })
    const { body } = await call('POST', '', {
      name: 'x',
      memoryMb: 1,
      cpuPercent: -5,
      phpVersions: ['8.2', '8.2'],
      tasks: '',
    })
    expect(Object.keys(body.fields).sort()).toEqual(['cpuPercent', 'memoryMb', 'phpVersions', 'tasks'])
  })
  it('keeps all its versions with their authors', async () => {
    const made = await plan({ diskMb: 1000 })
    await call('PATCH', `/${made.id}`, { diskMb: 2000, version: 1 })
    const { items } = (await call('GET', `/${made.id}/versions`)).body
    expect(items.map((v: { version: number; diskMb: number }) => [v.version, v.diskMb])).toEqual([
      [2, 2000],
      [1, 1000],
    ])
    expect(items[0].by).toMatch(/^Some /)
  })
  it('refuses a change of an old version and answers the stored plan', async () => {
    const made = await plan()
    await call('PATCH', `/${made.id}`, { mailboxes: 3, version: 1 })
    expect(await call('PATCH', `/${made.id}`, { mailboxes: 4, version: 1 })).toMatchObject({
      status: 409,
      body: { current: { mailboxes: 3, version: 2 } },
    })
  })
  it('cannot be deleted while an account uses it', async () => {
    const made = await plan()
    await website(made.id, 'on-a-plan.example.org')
    expect(await call('DELETE', `/${made.id}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('1 system user') },
    })
    const unused = await plan()
    expect((await call('DELETE', `/${unused.id}`)).status).toBe(204)
    expect((await call('GET', `/${unused.id}`)).status).toBe(404)
  })
})

describe('a change of a plan', () => {
  it('applies the new limits to its accounts on their servers', async () => {
    const made = await plan({ memoryMb: 512 })
    const { systemUserId } = await website(made.id, 'limits.example.org')
    const { status, body } = await call('PATCH', `/${made.id}`, { memoryMb: 1024, version: 1 })
    expect(status).toBe(202)
    const [account, pool] = await actionsOf(t.app.db, body.workflowIds[0])
    expect(account).toMatchObject({
      name: 'system-user.ensure',
      resourceId: systemUserId,
      input: { limits: { memoryMb: 1024 } },
    })
    expect(pool).toMatchObject({ name: 'php-pool.ensure', input: { memoryLimitMb: 512 } })
    await carryOut(t.app.db, server)
    await carryOut(t.app.db, server)
  })
  it('starts no workflow if no server limit changes', async () => {
    const made = await plan()
    await website(made.id, 'no-limits.example.org')
    expect(await call('PATCH', `/${made.id}`, { mailboxes: 77 })).toMatchObject({
      status: 200,
      body: { workflowIds: [] },
    })
  })
  it('below the usage of accounts is previewed with these accounts, refused, and accepted with exceeding: keep', async () => {
    const made = await plan({ websites: 2 })
    await website(made.id, 'one.example.org')
    await website(made.id, 'two.example.org')
    const change = { websites: 1, phpVersions: ['8.4'] }
    expect((await call('POST', `/${made.id}/preview`, change)).body).toMatchObject({
      total: 1,
      systemUsers: 1,
      servers: 1,
      exceeding: [
        { what: [expect.stringContaining('2 websites'), expect.stringContaining('PHP 8.2')], serverName: 'web-1' },
      ],
    })
    expect((await call('PATCH', `/${made.id}`, change)).status).toBe(422)
    expect((await call('GET', `/${made.id}`)).body.websites).toBe(2)
    expect((await call('PATCH', `/${made.id}`, { ...change, exceeding: 'keep' })).status).toBe(200)
  })
  it('waits for another workflow of its accounts', async () => {
    const made = await plan()
    const { id, systemUserId } = await website(made.id, 'busy.example.org')
    await t.call('DELETE', `/api/websites/${id}`, { token: admin })
    expect(await call('PATCH', `/${made.id}`, { tasks: 999 })).toMatchObject({ status: 409 })
    const [account] = await t.app.db.select().from(systemUsers).where(eq(systemUsers.id, systemUserId))
    expect(account?.deletedAt).toBeNull()
    expect((await call('GET', `/${made.id}`)).body.tasks).toBe(128)
  })
})
