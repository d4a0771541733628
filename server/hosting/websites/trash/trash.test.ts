import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, finish } from '../../../kit/work/claim.ts'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { plans } from '../../plans/tables.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { websites } from '../tables.ts'
import { purgeOverdue } from './trash.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-trash', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/websites${path}`, { token, body })
const carryOut = (status: 'done' | 'failed' = 'done') => carryOutAll(t.app.db, server, () => ({ status, reason: 'no' }))
/** Creates a website of a new owner with a new account, or of a given owner. */
async function site(domain: string, userId?: number): Promise<number> {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const requested = { originServer: server, domain, plan: 'Business', userId: userId ?? kari!.id }
  const { body } = await call('POST', '', requested)
  await carryOut()
  return body.data.id
}
/** Creates two websites of one account. */
async function pair(one: string, two: string): Promise<[number, number]> {
  const first = await site(one)
  const { ownerId, username } = (await call('GET', `/${first}`)).body
  const second = await site(two, ownerId)
  expect((await call('GET', `/${second}`)).body.username).toBe(username)
  return [first, second]
}
async function deleted(domain: string): Promise<number> {
  const id = await site(domain)
  await call('DELETE', `/${id}`)
  await carryOut()
  return id
}
const namesOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name }) => name,
  )
const statusOf = async (id: number) => (await call('GET', `/${id}`)).body.status
const age = (id: number) =>
  t.app.db.update(websites).set({ purgeAfter: sql`now() - interval '1 s'` }).where(eq(websites.id, id))

describe('a deleted website', () => {
  it('is listed in the trash only, with the day of its purge', async () => {
    const id = await deleted('listed.example')
    expect((await call('GET', '?domain=listed')).body.total).toBe(0)
    expect((await call('GET', '?domain=listed&status=active')).body.total).toBe(0)
    const { body } = await call('GET', '?domain=listed&status=deleted')
    expect(body).toMatchObject({ total: 1, Websites: [{ id, status: 'deleted', purgeAfter: expect.any(String) }] })
    const days = (Date.parse(body.Websites[0].purgeAfter) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    expect((await call('GET', '?domain=listed&status=deleted,active')).body.total).toBe(1)
    for (const sort of ['createdAt', 'updatedAt', 'domain'])
      expect((await call('GET', `?domain=listed&status=deleted&sort=${sort}`)).body.total).toBe(1)
  })

  it('is restored in the state of its account, which was suspended or activated meanwhile', async () => {
    const [stays, id] = await pair('stays.example', 'goes.example')
    const { systemUserId } = (await call('GET', `/${stays}`)).body
    const account = (status: string) =>
      t.call('PATCH', `/api/system-user/system-users/${systemUserId}`, {
        token: admin,
        body: { status, reason: 'unpaid' },
      })
    await call('DELETE', `/${id}`)
    await carryOut()
    await account('suspended')
    await carryOut()
    await call('POST', `/${id}/restore`, {})
    await carryOut()
    expect([await statusOf(stays), await statusOf(id)]).toEqual(['suspended', 'suspended'])
    await call('DELETE', `/${id}`)
    await carryOut()
    await account('active')
    await carryOut()
    await call('POST', `/${id}/restore`, {})
    await carryOut()
    expect([await statusOf(stays), await statusOf(id)]).toEqual(['active', 'active'])
  })

  it('is restored with its account, folder and logs, in its former state', async () => {
    const id = await site('paused.example')
    await call('PATCH', `/${id}`, { status: 'suspended' })
    await carryOut()
    await call('DELETE', `/${id}`)
    await carryOut()
    const removals = await t.app.db
      .select()
      .from(actions)
      .where(and(eq(actions.resourceName, 'paused'), eq(actions.name, 'system-user.remove')))
    const { status, body } = await call('POST', `/${id}/restore`, {})
    expect(status).toBe(202)
    expect(body.data).toMatchObject({ status: 'creating', deletedAt: null })
    expect(await namesOf(body.workflowId)).toEqual([
      'system-user.restore',
      'system-user.ensure',
      'document-root.restore',
      'php-pool.ensure',
      'website-logs.restore',
      'nginx-site.ensure',
      'website.probe',
    ])
    const [first] = await claim(t.app.db, server, 'short', 1)
    expect(first).toMatchObject({ name: 'system-user.restore', input: { taken: [removals[0]!.id] } })
    await finish(t.app.db, server, [{ id: first!.id, attempt: 1, status: 'done' }])
    await carryOut()
    expect(await statusOf(id)).toBe('suspended')
    const [account] = await t.app.db.select().from(systemUsers).where(eq(systemUsers.username, 'paused'))
    expect(account?.deletedAt).toBeNull()
  })

  it('is restored without its account if another website still uses that', async () => {
    const [first] = await pair('shared-one.example', 'shared-two.example')
    await call('DELETE', `/${first}`)
    await carryOut()
    const restored = await call('POST', `/${first}/restore`, {})
    expect(await namesOf(restored.body.workflowId)).not.toContain('system-user.restore')
    await carryOut()
    expect(await statusOf(first)).toBe('active')
  })

  it('cannot be restored under a name that is taken again; the error names the other website', async () => {
    const id = await deleted('taken.example')
    const again = await site('taken.example')
    expect(await call('POST', `/${id}/restore`, {})).toMatchObject({
      status: 409,
      body: { message: `taken.example is website ${again} by now (active). Rename or delete that one first.` },
    })
    expect(await statusOf(id)).toBe('deleted')
  })

  it('is restored only while the plan of its account has room, also for its sub-websites', async () => {
    const [first, second] = await pair('room-one.example', 'room-two.example')
    const sub = await call('POST', `/${second}/subwebsite`, { domain: 'sub.room-two.example' })
    await carryOut()
    await call('DELETE', `/${second}`)
    await carryOut()
    expect(await statusOf(sub.body.data.id)).toBe('deleted')
    const [{ most } = expect.fail('no plan')] = await t.app.db
      .select({ most: plans.websites })
      .from(plans)
      .where(eq(plans.name, 'Business'))
    const limit = (n: number) => t.app.db.update(plans).set({ websites: n }).where(eq(plans.name, 'Business'))
    await limit(2)
    const full = await call('POST', `/${second}/restore`, {})
    await limit(3)
    const restored = await call('POST', `/${second}/restore`, {})
    await limit(most)
    expect(full).toMatchObject({
      status: 409,
      body: {
        fields: { domain: expect.stringContaining('one website, and the plan Business has room for 2 websites') },
      },
    })
    expect(restored.status).toBe(202)
    await carryOut()
    expect([await statusOf(first), await statusOf(sub.body.data.id)]).toEqual(['active', 'active'])
  })

  it('is in the trash again when its restore is rolled back', async () => {
    const id = await deleted('back.example')
    const { body } = await call('POST', `/${id}/restore`, {})
    await carryOut('failed')
    expect(await statusOf(id)).toBe('failed')
    const [failed] = await t.app.db
      .select()
      .from(actions)
      .where(and(eq(actions.workflowId, body.workflowId), eq(actions.status, 'failed')))
    await t.call('PATCH', `/api/workflows/${body.workflowId}/actions/${failed!.id}`, {
      token: admin,
      body: { actionType: 'rollback' },
    })
    await carryOut()
    expect((await call('GET', '?domain=back.example&status=deleted')).body.total).toBe(1)
    expect((await call('POST', `/${id}/restore`, {})).status).toBe(202)
    await carryOut()
    expect(await statusOf(id)).toBe('active')
  })

  it('cannot be suspended, retried or deleted again, and an existing website cannot be restored', async () => {
    const id = await deleted('done.example')
    expect((await call('PATCH', `/${id}`, { status: 'active' })).status).toBe(422)
    expect((await call('PATCH', `/${id}/retry`)).status).toBe(422)
    expect((await call('DELETE', `/${id}`)).status).toBe(422)
    expect((await call('POST', `/${await site('lives.example')}/restore`, {})).status).toBe(422)
    expect((await call('POST', `/${id}/restore`, { version: 1 })).status).toBe(409)
  })
})

describe('the trash', () => {
  it('is purged with its own permission, after the name is typed', async () => {
    const id = await deleted('purged.example')
    const keeper = (await t.somebody(['website:website:read', 'website:website:delete'])).token
    expect((await call('DELETE', `/${id}/trash`, { domain: 'purged.example' }, keeper)).status).toBe(403)
    expect(await call('DELETE', `/${id}/trash`, { domain: 'other.example' })).toMatchObject({
      status: 422,
      body: { fields: { domain: 'Type purged.example' } },
    })
    const { status, body } = await call('DELETE', `/${id}/trash`, { domain: 'purged.example' })
    expect([status, await namesOf(body.workflowId)]).toEqual([202, ['trash.purge']])
    expect((await call('POST', `/${id}/restore`, {})).status).toBe(409)
    await carryOut()
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('POST', `/${id}/restore`, {})).status).toBe(404)
  })

  it('purges overdue websites automatically, once', async () => {
    const id = await deleted('old.example')
    const young = await deleted('young.example')
    await age(id)
    expect(await purgeOverdue(t.app)).toBe(1)
    expect(await purgeOverdue(t.app)).toBe(0)
    await carryOut()
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect(await statusOf(young)).toBe('deleted')
    expect(await purgeOverdue(t.app)).toBe(0)
  })

  it('keeps the home of an account while another website of it can be restored', async () => {
    const [first, second] = await pair('home-one.example', 'home-two.example')
    for (const id of [first, second]) {
      await call('DELETE', `/${id}`)
      await carryOut()
    }
    const purged = await call('DELETE', `/${second}/trash`, { domain: 'home-two.example' })
    const [purge] = await t.app.db.select().from(actions).where(eq(actions.workflowId, purged.body.workflowId))
    const { taken } = purge!.input as { taken: number[] }
    const gone = await t.app.db
      .select()
      .from(actions)
      .where(sql`action_id = any(${sql.raw(`'{${taken}}'::int[]`)})`)
    expect(gone.map(({ name }) => name).sort()).toEqual(['document-root.remove', 'nginx-site.remove'])
    await carryOut()
    expect(await namesOf((await call('POST', `/${first}/restore`, {})).body.workflowId)).toContain(
      'system-user.restore',
    )
    await carryOut()
  })
})

describe('a failed switch', () => {
  it('leaves the website unchanged, with a stopped workflow', async () => {
    const id = await site('serving.example')
    const { body } = await call('PATCH', `/${id}`, { status: 'suspended' })
    await carryOut('failed')
    expect((await call('GET', `/${id}`)).body).toMatchObject({ status: 'active', workflowId: body.workflowId })
    expect((await call('PATCH', `/${id}/retry`)).status).toBe(202)
    await carryOut()
    expect(await statusOf(id)).toBe('suspended')
  })
})
