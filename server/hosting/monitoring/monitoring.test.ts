import type { CheckAnswer } from '@innkeeper/contract/agent/monitoring'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { recordHeartbeat } from '../../machines/servers/agents/heartbeat.ts'
import { sitesOf } from '../../net/vhosts/test/sites.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, enrolled, heartbeat } from '../../test/work.ts'
import { batchesOf, type Due, watchRound } from './round.ts'

let t: TestApp
let web: number
let s: ReturnType<typeof sitesOf>
let admin: { id: number; token: string }
/** Why requests fail, by domain. Other domains answer 200. */
const failing = new Map<string, string>()
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
  web = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString(), address: '10.77.1.11' })
  s = sitesOf(t, admin.token, () => [web])
})
afterAll(() => t.close())

/** Runs a round in which all monitored websites are due. */
async function round(): Promise<string[]> {
  const asked: string[] = []
  await watchRound(t.app, async () => ({ by: null, answers: [] })) // starts to monitor new websites
  await t.app.db.execute(sql`update monitors set next_at = now() where next_at is not null`)
  await watchRound(
    t.app,
    async (_, { sites }) => {
      asked.push(...sites.filter(({ edge }) => !edge).map(({ domain }) => domain))
      const answers = sites.map(({ id, domain, address, edge }): CheckAnswer => {
        const reason = failing.get(edge ? address : domain) ?? null
        return {
          id,
          status: reason ? Number(/\d+$/.exec(reason)?.[0] ?? 502) : 200,
          ms: 12,
          reason,
          certificateUntil: null,
        }
      })
      return { by: web, answers }
    },
    async () => distrust,
  )
  return asked
}
/** A workflow of a website that shows the maintenance page, as a restore does. */
async function showMaintenance(websiteId: number): Promise<void> {
  await t.app.db.execute(sql`with f as (insert into workflows (kind, subject_type, subject_id, subject_name, holder)
      values ('website.restore', 'website', ${websiteId}, 'shown', 'somebody') returning workflow_id),
    l as (insert into resource_locks (resource, workflow_id, holder) select ${`website:${websiteId}`}, workflow_id, 'somebody' from f)
    insert into actions (workflow_id, position, name, title, what, resource_type, resource_id, resource_name, input, lane)
      select workflow_id, 0, 'nginx-site.ensure', 'nginx site', '', 'website', ${websiteId}, 'shown', '{"state": "maintenance"}', 'short' from f`)
}
/** Why edges refuse the certificate of a website. */
let distrust: string | null = null
const website = async (id: number) => (await s.call('GET', `/websites/${id}`)).body
const monitor = async (id: number) => (await s.call('GET', `/websites/${id}/monitor`)).body
async function titles(): Promise<string[]> {
  const found = await rows<{ title: string }>(
    t.app.db,
    sql`select title from notifications where user_id = ${admin.id} and reason = 'website' order by notification_id`,
  )
  await t.app.db.execute(sql`delete from notifications where reason = 'website'`)
  return found.map(({ title }) => title)
}

describe('a website', () => {
  it('is down after three failures and up after one success; each change is notified once and kept', async () => {
    const id = await s.site('shop.example', web)
    await s.site('calm.example', web)
    await round()
    expect((await website(id)).health).toMatchObject({ state: 'up', status: 200, ms: 12, reason: null })
    failing.set('shop.example', 'answers 500')
    await round()
    await round()
    expect((await website(id)).health).toMatchObject({ state: 'up', reason: 'answers 500' })
    expect(await titles()).toEqual([])
    await round()
    await round()
    expect((await website(id)).health).toMatchObject({ state: 'down', status: 500, checkedAt: expect.any(String) })
    expect(await titles()).toEqual(['shop.example is down'])
    const list = await s.call('GET', '/websites?health=down')
    expect(list.body.Websites.map(({ domain }: { domain: string }) => domain)).toEqual(['shop.example'])
    failing.clear()
    await round()
    await round()
    expect(await titles()).toEqual(['shop.example answers again'])
    const { changes, days, askedBy } = await monitor(id)
    expect(changes.map(({ state }: { state: string }) => state)).toEqual(['up', 'down', 'up'])
    expect(askedBy).toBe('web-1')
    const sum = (key: 'checks' | 'failures') =>
      days.reduce((all: number, one: Record<typeof key, number>) => all + one[key], 0)
    expect([sum('checks'), sum('failures')], 'of two days if midnight passed').toEqual([7, 4])
    const today = new Date().toISOString().slice(0, 10)
    expect(days).toContainEqual(expect.objectContaining({ day: today, ms: 12 }))
  })

  it('is not down while a workflow shows the maintenance page, and is once that workflow waits for somebody', async () => {
    const id = await s.site('shown.example', web)
    await round()
    const { checks } = (await monitor(id)).days[0]
    await showMaintenance(id)
    failing.set('shown.example', 'answers 503')
    for (let n = 0; n < 4; n++) await round()
    expect((await website(id)).health).toMatchObject({ state: 'up', status: 200, reason: null })
    expect((await monitor(id)).days[0]).toMatchObject({ checks, failures: 0 })
    // another answer is not what the workflow announced
    failing.set('shown.example', 'answers 500')
    await round()
    expect((await website(id)).health).toMatchObject({ state: 'up', reason: 'answers 500' })
    failing.set('shown.example', 'answers 503')
    await t.app.db.execute(sql`update workflows set status = 'failed' where subject_name = 'shown'`)
    for (let n = 0; n < 3; n++) await round()
    expect((await website(id)).health).toMatchObject({ state: 'down', reason: 'answers 503' })
    expect(await titles()).toEqual(['shown.example is down'])
    failing.clear()
    await round()
    await round()
    expect(await titles()).toEqual(['shown.example answers again'])
  })

  it('behind an edge is down if its own server answers and the edge does not; many websites share a notification', async () => {
    const edge = await enrolled(t.app.db, 'edge-1', {
      type: 'cdn',
      address: '10.77.1.13',
      provisionedAt: new Date().toISOString(),
    })
    const both = sitesOf(t, admin.token, () => [web, edge])
    const ids: number[] = []
    for (let n = 0; n < 6; n++) {
      ids.push(await both.site(`behind-${n}.example`, web))
      expect((await both.call('POST', '/vhost-management/vhost', { websiteId: ids[n], serverId: edge })).status).toBe(
        201,
      )
      await both.carryOut()
    }
    for (let n = 0; n < 5; n++) await both.site(`direct-${n}.example`, web)
    await round()
    failing.set('10.77.1.13', 'answers 502')
    for (let n = 0; n < 4; n++) await round()
    const found = (await website(ids[0]!)).health
    expect(found).toMatchObject({ state: 'down', status: 502, reason: 'through the edge edge-1: answers 502' })
    expect(await titles()).toEqual(['6 websites on web-1 are down'])
    await t.app.db.execute(sql`update vhosts set rules = '{"fetch": "https"}' where website_id = ${ids[0]}`)
    distrust = '10.77.1.10: the certificate of R3 expired on 2026-01-01'
    await round()
    expect((await website(ids[0]!)).health.reason).toBe(
      `through the edge edge-1: answers 502, because it does not trust the certificate at ${distrust}`,
    )
    expect((await website(ids[1]!)).health.reason).toBe('through the edge edge-1: answers 502')
    failing.clear()
    await round()
    await round()
    expect(await titles()).toEqual(['6 websites on web-1 answer again'])
  })

  it('is not monitored while it is suspended, and its state is then unknown', async () => {
    const id = await s.site('rests.example', web)
    await round()
    await s.call('PATCH', `/websites/${id}`, { status: 'suspended' })
    await s.carryOut()
    expect(await round()).not.toContain('rests.example')
    expect((await website(id)).health).toBeNull()
    await s.call('PATCH', `/websites/${id}`, { status: 'active' })
    await s.carryOut()
    expect(await round()).toContain('rests.example')
  })

  it('has monitoring settings that people change who may change its status', async () => {
    const id = await s.site('word.example', web)
    await round()
    const { version } = await monitor(id)
    const path = `/websites/${id}/monitor`
    expect((await s.call('PATCH', path, { path: 'http://evil.example/' })).status).toBe(400)
    expect((await s.call('PATCH', path, { path: '/ok', word: 'Hei', version })).body).toMatchObject({
      ...{ path: '/ok', word: 'Hei', enabled: true },
    })
    expect((await s.call('PATCH', path, { word: null, version })).status).toBe(409)
    await s.call('PATCH', path, { enabled: false })
    expect(await round()).not.toContain('word.example')
  })
})

describe('a server', () => {
  it('has one notification when most of its websites fail, and one when they recover; none while its agent is offline', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `many-${name}.example`)
    const server = await enrolled(t.app.db, 'web-2', {
      provisionedAt: new Date().toISOString(),
      address: '10.77.1.12',
    })
    const many = sitesOf(t, admin.token, () => [server])
    for (const name of names) await many.site(name, server)
    const services = [{ name: 'nginx', version: '1', state: 'inactive' as const, detail: null }]
    await recordHeartbeat(t.app.db, server, { ...heartbeat, services }, '')
    await round()
    for (const name of names) failing.set(name, 'refuses the connection')
    for (let n = 0; n < 4; n++) await round()
    const [told] = await rows<{ body: string }>(t.app.db, sql`select body from notifications where reason = 'website'`)
    expect(told?.body).toMatch(/^nginx does not run there\. many-a\.example/)
    expect(await titles()).toEqual(['6 websites on web-2 are down'])
    failing.clear()
    failing.set('many-f.example', 'answers 500')
    await round()
    await round()
    expect(await titles()).toEqual(['The websites on web-2 answer again', 'many-f.example is down'])
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '5 minutes' where server_id = ${server}`,
    )
    for (const name of names) failing.set(name, 'the server does not answer')
    for (let n = 0; n < 4; n++) await round()
    expect(await titles()).toEqual([])
    failing.clear()
    await round()
    expect(await titles()).toEqual(['many-f.example answers again'])
  })
})

describe('an agent', () => {
  it('that answers for other websites, or not for all, is not believed', async () => {
    const site = async (name: string) => sitesOf(t, admin.token, () => [home]).site(`${name}.example`, home)
    const home = await enrolled(t.app.db, 'web-3', { provisionedAt: new Date().toISOString(), address: '127.0.0.1' })
    const taken = await enrolled(t.app.db, 'web-taken', { provisionedAt: new Date().toISOString() })
    const [asked, other] = [await site('asked'), await site('other')]
    await round()
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id <> ${taken}`,
    )
    const answer = (id: number): CheckAnswer => ({ id, status: 500, ms: 1, reason: 'lies', certificateUntil: null })
    for (const results of [[answer(asked), answer(other)], [answer(other)], [], [{ id: asked, ms: 1e12 }]]) {
      await t.app.db.execute(sql`update monitors set next_at = case when website_id = ${asked} then now()
        else now() + interval '1 hour' end where next_at is not null`)
      expect(await answerReads(t.app.db, taken, () => ({ results }), watchRound(t.app))).toBe(1)
      expect(await monitor(asked)).toMatchObject({ askedBy: null })
      expect(await monitor(other)).toMatchObject({ state: 'up', reason: null })
      expect((await monitor(asked)).reason).not.toBe('lies')
    }
    await t.app.db.execute(sql`update monitors set next_at = now() where website_id = ${asked}`)
    await answerReads(t.app.db, taken, () => ({ results: [answer(asked)] }), watchRound(t.app))
    expect(await monitor(asked)).toMatchObject({ askedBy: 'web-taken', reason: 'lies' })
  })
})

describe('who asks', () => {
  const due = (id: number, serverId: number, failures = 0): Due => ({
    ...{ id, serverId, failures, domain: 'shop.example', address: '10.77.1.11', https: false, path: '/', word: null },
  })
  it('is another server’s agent, a different one after a failure, or Innkeeper if there is none', () => {
    const of = (site: Due, agents: number[]) => batchesOf([site], agents)[0]?.by
    expect(of(due(1, 5), [5])).toBeNull()
    expect(of(due(1, 5), [5, 6])).toBe(6)
    expect(new Set([0, 1].map((failures) => of(due(1, 5, failures), [5, 6, 7])))).toEqual(new Set([6, 7]))
    const all = Array.from({ length: 120 }, (_, n) => due(n, 5))
    expect(batchesOf(all, [6]).map(({ sites }) => sites.length)).toEqual([50, 50, 20])
  })
})
