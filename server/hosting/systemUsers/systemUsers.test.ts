import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, finish as end } from '../../kit/work/claim.ts'
import { recordHeartbeat } from '../../machines/servers/agents/heartbeat.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, answerRead, carryOut, enrolled, heartbeat, setAside } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { markOver } from './overPlan.ts'
import { askDue } from './usage.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  await t.app.db.insert(owners).values([
    { name: 'Kari', email: 'kari@example.org' },
    { name: 'Lars', email: 'lars@example.org' },
  ])
  server = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, ...(body !== undefined && { body }) })
const base = '/system-user/system-users'
const wanted = (username: string) => ({ username, originServer: server, ownerId: 1, planId: 2 })

/** Runs all ready actions of the server and the worker until the workflow ends. */
async function finish(workflowId: number): Promise<string[]> {
  const steps = await actionsOf(t.app.db, workflowId)
  for (const { serverId } of steps) await carryOut(t.app.db, serverId, { output: { uid: 1042 } })
  return steps.map(({ name }) => name)
}
async function made(username: string): Promise<number> {
  const { body } = await call('POST', base, wanted(username))
  await finish(body.workflowId)
  return body.data.id
}
/** A website of owner 1 on plan 2, which shares the account of that name. */
async function site(domain: string, systemUser: string): Promise<number> {
  const { body } = await call('POST', '/websites', { originServer: server, domain, userId: 1, plan: 2, systemUser })
  await finish(body.workflowId)
  return body.data.id
}
const statusOf = async (id: number) => (await call('GET', `/websites/${id}`)).body.status
const one = async (id: number) => (await call('GET', `${base}/${id}`)).body

describe('a system user', () => {
  it('is created on its server, and stores the uid that the server chose', async () => {
    const { status, body } = await call('POST', base, wanted('kari1'))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ username: 'kari1', status: 'creating', uid: null, homeDir: '/home/kari1' })
    expect(await finish(body.workflowId)).toEqual(['system-user.ensure'])
    expect(await one(body.data.id)).toMatchObject({ status: 'active', uid: 1042, planName: 'Business' })
  })
  it('has a name that is free on its server and not reserved for the system', async () => {
    await made('twice')
    expect(await call('POST', base, wanted('twice'))).toMatchObject({
      status: 409,
      body: { fields: { username: expect.any(String) } },
    })
    for (const username of ['root', 'www', 'systemdx'])
      expect(await call('POST', base, wanted(username))).toMatchObject({
        status: 422,
        body: { fields: { username: expect.any(String) } },
      })
    const { body } = await call('POST', base, { ...wanted('nobodys'), ownerId: 99, planId: 99, originServer: 99 })
    expect(Object.keys(body.fields).sort()).toEqual(['originServer', 'ownerId', 'planId'])
  })
  it('is found by part of its name, by plan, status and ids; an empty list of ids finds nothing', async () => {
    const id = await made('searchable')
    expect((await call('GET', `${base}?search=archab&plan=2&status=active`)).body.items).toMatchObject([{ id }])
    expect(
      (await call('GET', `${base}?search[]=${id}&search[]=1`)).body.items.map((u: { id: number }) => u.id),
    ).toEqual([id, 1])
    expect((await call('GET', `${base}?search[]=`)).status).toBe(400)
    expect((await call('GET', `${base}?search=archab&status=suspended`)).body.total).toBe(0)
  })
  it('is suspended with its websites, and reactivates exactly these', async () => {
    const id = await made('landlord')
    const [up, down] = [await site('up.example.org', 'landlord'), await site('down.example.org', 'landlord')]
    await finish((await call('PATCH', `/websites/${down}`, { status: 'suspended' })).body.workflowId)

    expect(await call('PATCH', `${base}/${id}`, { status: 'suspended' })).toMatchObject({
      status: 422,
      body: { fields: { reason: 'Required' } },
    })
    const suspended = await call('PATCH', `${base}/${id}`, { status: 'suspended', reason: 'Has not paid' })
    expect(await finish(suspended.body.workflowId)).toEqual(['nginx-site.ensure', 'website.probe'])
    expect(await one(id)).toMatchObject({ status: 'suspended', reason: 'Has not paid' })
    expect([await statusOf(up), await statusOf(down)]).toEqual(['suspended', 'suspended'])
    expect(await call('PATCH', `/websites/${up}`, { status: 'active' })).toMatchObject({ status: 422 })

    await finish((await call('PATCH', `${base}/${id}`, { status: 'active' })).body.workflowId)
    expect(await one(id)).toMatchObject({ status: 'active', reason: null })
    expect([await statusOf(up), await statusOf(down)]).toEqual(['active', 'suspended'])
  })
  it('gets another plan with its limits and websites, once the server has applied them', async () => {
    const id = await made('grows')
    const website = await site('grows.example.org', 'grows')
    const { status, body } = await call('PATCH', `${base}/${id}/plan`, { planId: 4 })
    expect(status).toBe(202)
    expect((await actionsOf(t.app.db, body.workflowId))[0]?.input).toMatchObject({ limits: { memoryMb: 2048 } })
    expect((await one(id)).planName).toBe('Business')
    await finish(body.workflowId)
    expect((await one(id)).planName).toBe('Shop')
    expect((await call('GET', `/websites/${website}`)).body.planName).toBe('Shop')
    expect(await call('PATCH', `${base}/${id}/plan`, { planId: 1 })).toMatchObject({ status: 202 })
    await setAside(t.app.db)
  })
  it('keeps its plan if a smaller plan does not allow its websites', async () => {
    const id = await made('large')
    await site('large-1.example.org', 'large')
    await site('large-2.example.org', 'large')
    expect(await call('PATCH', `${base}/${id}/plan`, { planId: 1 })).toMatchObject({
      status: 422,
      body: { fields: { planId: expect.stringContaining('2 websites') } },
    })
  })
  it('is deleted without websites, and its workflows can be dismissed', async () => {
    const id = await made('leaver')
    const website = await site('leaver.example.org', 'leaver')
    expect(await call('DELETE', `${base}/${id}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('a website') },
    })
    expect(website).toBeGreaterThan(0)
    const other = await made('goes')
    const [run] = (await call('GET', `${base}/${other}/runs`)).body.items
    expect(run).toMatchObject({ kind: 'system-user.create', status: 'done' })
    expect((await call('DELETE', `/system-user/logs/${run.id}`)).status).toBe(204)
    expect((await call('DELETE', `/system-user/logs/${run.id}`)).status).toBe(404)
    expect((await call('GET', `${base}/${other}/runs`)).body.total).toBe(0)
    const { body } = await call('DELETE', `${base}/${other}`)
    expect(await call('DELETE', `/system-user/logs/${body.workflowId}`)).toMatchObject({ status: 409 })
    expect(await finish(body.workflowId)).toEqual(['system-user.remove'])
    expect((await call('GET', `${base}/${other}`)).status).toBe(404)
  })
  it('answers its usage while its server is online', async () => {
    const id = await made('counted')
    const asked = call('GET', `${base}/${id}/usage`)
    await expect.poll(() => answerRead(t.app.db, server, { diskMb: 12, files: 340, memoryMb: 40, tasks: 3 })).toBe(true)
    expect(await asked).toMatchObject({ status: 200, body: { diskMb: 12, files: 340, memoryMb: 40, tasks: 3 } })
    expect(await one(id)).toMatchObject({ diskUsedMb: 12 })
    await t.app.db.execute(`update server_states set last_seen_at = now() - interval '5 minutes'`)
    expect((await call('GET', `${base}/${id}/usage`)).status).toBe(503)
  })
})

describe('an account beyond its plan’s disk limit', () => {
  let limit: number
  beforeAll(async () => {
    await recordHeartbeat(t.app.db, server, heartbeat, '')
    limit = (await one(await made('asks'))).planDiskMb
  })
  const say = async (id: number, diskMb: number) => {
    const asked = call('GET', `${base}/${id}/usage`)
    await expect.poll(() => answerRead(t.app.db, server, { diskMb, files: 3, memoryMb: null, tasks: null })).toBe(true)
    expect((await asked).status).toBe(200)
  }
  const toldTo = async (token: string) =>
    (await t.call('GET', '/api/employee-controller/notifications?reason=disk', { token })).body.items
  const over = async () =>
    (await call('GET', `${base}?over=true`)).body.items.map(({ username }: { username: string }) => username)

  it('is marked and reported once to people who may see accounts, until it is below the limit', async () => {
    const reader = await t.somebody(['system-user:user:read'])
    const other = await t.somebody(['website:website:read'])
    const id = await made('eatsdisk')
    await say(id, limit)
    expect(await toldTo(reader.token)).toEqual([])
    await say(id, limit + 1)
    await say(id, limit + 2)
    expect(await toldTo(reader.token)).toMatchObject([
      { level: 'warning', title: 'eatsdisk uses more disk than its plan allows', link: `/system-users/edit/${id}` },
    ])
    expect(await toldTo(other.token)).toEqual([])
    expect(await one(id)).toMatchObject({ diskOverSince: expect.any(String), planDiskMb: limit })
    expect(await over()).toEqual(['eatsdisk'])
    await say(id, 1)
    expect(await one(id)).toMatchObject({ diskOverSince: null })
    expect(await over()).toEqual([])
    await say(id, limit + 1)
    expect(await toldTo(reader.token)).toHaveLength(2)
    await say(id, 1)
  })

  it('is also found after its plan shrinks; several are reported together', async () => {
    const reader = await t.somebody(['system-user:user:read'])
    const ids = [await made('first9'), await made('second9')]
    for (const id of ids) await say(id, 200)
    await t.app.db.execute('update plans set disk_mb = 100 where plan_id = 2')
    await Promise.all([markOver(t.app.db), markOver(t.app.db)])
    await t.app.db.execute(`update plans set disk_mb = ${limit} where plan_id = 2`)
    expect(await toldTo(reader.token)).toMatchObject([
      { title: '2 system users use more disk than their plans allow', body: 'first9, second9' },
    ])
    await markOver(t.app.db)
    expect(await over()).toEqual([])
  })

  it('is checked daily, one account per server at a time, and only on online servers', async () => {
    await t.app.db.execute('update system_users set disk_asked_at = now()')
    const id = await made('due')
    const round = askDue(t.app)
    await expect
      .poll(() => answerRead(t.app.db, server, { diskMb: 7, files: 3, memoryMb: null, tasks: null }))
      .toBe(true)
    expect(await round).toBe(1)
    expect(await one(id)).toMatchObject({ diskUsedMb: 7 })
    expect(await askDue(t.app)).toBe(0)
    await t.app.db.execute(`update system_users set disk_asked_at = now() - interval '25 hours'`)
    await t.app.db.execute(`update server_states set last_seen_at = now() - interval '1 minute'`)
    expect(await askDue(t.app)).toBe(0)
    await recordHeartbeat(t.app.db, server, heartbeat, '')
    const failing = askDue(t.app)
    await expect.poll(() => failRead()).toBe(true)
    expect(await failing).toBe(1)
  })
  /** Lets the request for the usage fail, as if the home were too large to be counted in time. */
  async function failRead(): Promise<boolean> {
    const [op] = await claim(t.app.db, server, 'read', 1)
    if (op)
      await end(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'failed', reason: 'du took too long' }])
    return op !== undefined
  }
})
