import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerRead, carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { redisCaches } from './tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-redis', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
/** Runs all ready actions; the action named `failing` fails. */
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
async function site(domain: string): Promise<number> {
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const { body } = await call('POST', '/websites', {
    originServer: server,
    domain,
    plan: 'Business',
    userId: owner!.id,
  })
  await carryOut()
  return body.data.id
}
const stepsOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => `${name} ${input.state ?? ''}`.trim(),
  )
const enable = (id: number) => call('POST', '/redis-cache/enable', { website_id: id })
const disable = (id: number) => call('PATCH', '/redis-cache/disable', { website_id: id })
const status = async (id: number) => (await call('GET', `/redis-cache/status?website_id=${id}`)).body
const toggle = async (id: number) => (await call('GET', `/websites/${id}/toggles`)).body.redisCache
async function cached(domain: string): Promise<number> {
  const id = await site(domain)
  await enable(id)
  await carryOut()
  return id
}

describe('the Redis cache of a website', () => {
  it('is on once its server has set it up', async () => {
    const id = await site('wants.example')
    expect(await status(id)).toMatchObject({ state: 'off', socket: null, memoryMb: 64 })
    const { status: code, body } = await enable(id)
    expect([code, await stepsOf(body.workflowId)]).toEqual([202, ['packages.ensure', 'redis.ensure active']])
    expect([(await status(id)).state, await toggle(id)]).toEqual(['enabling', false])
    await carryOut()
    expect(await status(id)).toMatchObject({ state: 'on', socket: `/run/innkeeper-redis/${id}/redis.sock` })
    expect(await toggle(id)).toBe(true)
    expect(await enable(id)).toMatchObject({
      status: 422,
      body: { fields: { website_id: 'has its Redis cache already' } },
    })
  })

  it('is off after it was turned off, and cannot be turned off twice', async () => {
    const id = await cached('loses.example')
    const { status: code, body } = await disable(id)
    expect([code, await stepsOf(body.workflowId)]).toEqual([202, ['redis.remove']])
    await carryOut()
    expect([(await status(id)).state, await toggle(id)]).toEqual(['off', false])
    expect((await disable(id)).status).toBe(422)
  })

  it('that could not be created is off after the rollback; before, its state is unknown', async () => {
    const id = await site('fails.example')
    const { body } = await enable(id)
    await carryOut('redis.ensure')
    expect((await status(id)).state).toBe('enabling')
    const { body: workflow } = await call('GET', `/workflows/${body.workflowId}`)
    const stopped = workflow.actions.find((action: { status: string }) => action.status === 'failed')
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback' })
    await carryOut()
    expect([(await status(id)).state, await toggle(id)]).toEqual(['off', false])
  })

  it('is stopped, deleted and restored with its website, in its former state', async () => {
    const id = await cached('follows.example')
    const suspended = await call('PATCH', `/websites/${id}`, { status: 'suspended' })
    expect(await stepsOf(suspended.body.workflowId)).toContain('redis.ensure suspended')
    await carryOut()
    expect([(await status(id)).state, await toggle(id)]).toEqual(['stopped', false])
    expect((await disable(id)).status).toBe(422)
    const deleted = await call('DELETE', `/websites/${id}`, {})
    const gone = await stepsOf(deleted.body.workflowId)
    expect(gone.indexOf('redis.remove')).toBeGreaterThan(gone.findIndex((name) => name.startsWith('nginx-site.remove')))
    expect(gone.indexOf('redis.remove')).toBeLessThan(gone.indexOf('system-user.remove'))
    await carryOut()
    const restored = await call('POST', `/websites/${id}/restore`, {})
    expect(await stepsOf(restored.body.workflowId)).toContain('redis.ensure suspended')
    await carryOut()
    await call('PATCH', `/websites/${id}`, { status: 'active' })
    await carryOut()
    expect([(await status(id)).state, await toggle(id)]).toEqual(['on', true])
  })

  it('gets its memory limit from a new plan', async () => {
    const id = await cached('grows.example')
    const { systemUserId } = (await call('GET', `/websites/${id}`)).body
    const plan = (await call('POST', '/system-user/plans', { name: 'Large', memoryMb: 2048 })).body
    const { body } = await call('PATCH', `/system-user/system-users/${systemUserId}/plan`, { planId: plan.id })
    expect(await stepsOf(body.workflowId)).toContain('redis.ensure active')
    await carryOut()
    expect((await status(id)).memoryMb).toBe(256)
  })

  it('is refreshed by sync=true, whose answer is empty; the new figures are read afterwards', async () => {
    const id = await cached('asked.example')
    const asked = await call('GET', `/redis-cache/status?website_id=${id}&sync=true`)
    expect([asked.status, asked.body]).toEqual([204, ''])
    const seen = {
      ...{ up: true, problem: null, redisVersion: '7.0.15', usedBytes: 1_000_000, maxBytes: 67_108_864 },
      ...{ keys: 12, hits: 90, misses: 10, evicted: 0, uptimeSeconds: 61 },
    }
    await expect.poll(() => answerRead(t.app.db, server, seen)).toBe(true)
    await expect.poll(async () => (await status(id)).seen).toEqual(seen)
    expect((await call('GET', `/redis-cache/status?website_id=${id}&sync=maybe`)).status).toBe(400)
  })

  it('keeps the last figures if its server does not answer, with the reason', async () => {
    const id = await cached('silent.example')
    await t.app.db.update(redisCaches).set({ seenAt: null }).where(eq(redisCaches.websiteId, id))
    await t.app.db.execute(
      `update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${server}`,
    )
    try {
      expect((await call('GET', `/redis-cache/status?website_id=${id}&sync=true`)).status).toBe(204)
      await expect.poll(async () => (await status(id)).problem).toMatch(/^web-redis has not been heard from since/)
    } finally {
      await t.app.db.execute(`update server_states set last_seen_at = now() where server_id = ${server}`)
    }
  })

  it('is refused for a missing website and without permission', async () => {
    expect((await enable(999_999)).status).toBe(404)
    expect((await call('GET', '/redis-cache/status?website_id=999999')).status).toBe(404)
    const { token } = await t.somebody(['website:website:read'])
    const denied = await t.call('GET', '/api/redis-cache/status?website_id=1', { token })
    expect([denied.status, denied.body.message]).toEqual([403, 'Needs “See the Redis cache”'])
  })
})
