import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { owners } from '../../../hosting/owners/tables.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import { ownWork } from '../../../kit/work/action.ts'
import { actions } from '../../../kit/work/tables.ts'
import { recordHeartbeat } from '../../../machines/servers/agents/heartbeat.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, carryOutAll, enrolled, heartbeat, setAside } from '../../../test/work.ts'
import { leading, ttlBack, turnOf } from './records.ts'

const OLD = '192.0.2.10'
const NEW = '192.0.2.20'
let t: TestApp
let admin: string
let oslo: number
let bergen: number
let owner: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  const ready = { provisionedAt: new Date().toISOString() }
  oslo = await enrolled(t.app.db, 'web-oslo', { ...ready, address: OLD })
  bergen = await enrolled(t.app.db, 'web-bergen', { ...ready, address: NEW })
  const services = [{ name: 'php-fpm', version: '8.2', state: 'active' as const, detail: 'PHP 8.2' }]
  for (const id of [oslo, bergen]) await recordHeartbeat(t.app.db, id, { ...heartbeat, services }, '')
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  owner = kari!.id
})
afterAll(() => t.close())
beforeEach(() => setAside(t.app.db))

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name }) => name,
  )
const requested = (domain: string) => ({ originServer: oslo, domain, plan: 'Business', userId: owner, dns: true })
async function zone(domain: string, create: object[] = []): Promise<number> {
  const { id } = (await call('POST', '/dns/zones', { domain })).body
  if (create.length) await call('PATCH', '/dns/records', { zoneId: id, create })
  return id
}
/** The address records of a zone's names, one line each. */
const answers = async (zoneId: number): Promise<string[]> =>
  (await call('GET', `/dns/records?zoneId=${zoneId}&itemsPerPage=200`)).body.items
    .filter(({ type }: { type: string }) => type !== 'NS')
    .map((one: Record<string, unknown>) => `${one.name} ${one.ttl} ${one.type} ${one.content}`)
    .sort()
const a = (name: string, content: string, ttl = 3600) => ({ name, type: 'A', ttl, content })

/** Runs all ready actions. Actions of the server's worker have their real effect, except HTTP probes. */
async function carryOut(failing?: string): Promise<void> {
  const own: { name: string; input: Record<string, unknown>; task: 'run' | 'undo' }[] = []
  await carryOutAll(t.app.db, oslo, ({ name, input, task }) => {
    if (name === failing) return { status: 'failed', reason: 'no' }
    if (name.startsWith('website.dns')) own.push({ name, input, task })
    return { output: { names: 1 } }
  })
  const { signal } = new AbortController()
  const quiet = { app: t.app, signal, say: () => {}, fence: () => {} }
  for (const { name, input, task } of own) await ownWork(name)?.[task]?.(input, { ...quiet, task })
}

describe('a website that is created', () => {
  it('gets records for its names in the zone that contains them, on request', async () => {
    const zoneId = await zone('made.example', [
      { name: 'www', type: 'CNAME', ttl: 60, content: 'old.example.net' },
      { name: '@', type: 'MX', ttl: 60, priority: 10, content: 'mail.example.net' },
    ])
    const planned = (await call('POST', '/websites/plan', requested('made.example'))).body
    expect(planned.zone).toEqual({ domain: 'made.example', now: [] })
    const dns = { name: 'website.dns', what: `made.example, www.made.example to ${OLD}`, optional: true }
    expect(planned.actions.at(-1)).toMatchObject(dns)
    const { status, body } = await call('POST', '/websites', requested('made.example'))
    expect([status, (await planOf(body.workflowId)).at(-1)]).toEqual([201, 'website.dns'])
    await carryOut()
    expect(await answers(zoneId)).toEqual(['@ 3600 A 192.0.2.10', '@ 60 MX mail.example.net.', 'www 3600 A 192.0.2.10'])
    const listed = (await call('GET', `/dns/zones/${zoneId}/changes`)).body
    expect(JSON.stringify(listed)).toContain('website')
  })

  it('uses the zone of its parent; gets no records if declined or without a zone', async () => {
    const zoneId = await zone('parent.example')
    const { body } = await call('POST', '/websites', {
      ...requested('a.b.parent.example'),
      excludeActions: ['website.dns'],
    })
    await carryOut()
    expect((await call('GET', `/websites/${body.data.id}`)).body.status).toBe('active')
    expect(await answers(zoneId)).toEqual([])
    const foreign = await call('POST', '/websites', requested('foreign.example'))
    expect(foreign).toMatchObject({ status: 422, body: { fields: { dns: expect.any(String) } } })
    const maker = (await t.somebody(['website:website:create'])).token
    expect((await call('POST', '/websites', requested('c.parent.example'), maker)).status).toBe(403)
    const both = (await t.somebody(['website:website:create', 'dns:record:update'])).token
    await call('PATCH', `/dns/zones/${zoneId}`, { adminOnly: true })
    expect((await call('POST', '/websites', requested('c.parent.example'), both)).status).toBe(422)
  })

  it('restores the records when it is rolled back', async () => {
    const before = ['@ 60 A 198.51.100.7', 'www 60 CNAME undone.example.']
    const zoneId = await zone('undone.example', [
      a('@', '198.51.100.7', 60),
      { name: 'www', type: 'CNAME', ttl: 60, content: 'undone.example' },
    ])
    const { body } = await call('POST', '/websites', requested('undone.example'))
    const site = await readSite(t.app.db, body.data.id)
    const [step] = await leading(t.app.db, site)
    const work = { app: t.app, signal: new AbortController().signal, say: () => {}, fence: () => {} }
    await ownWork('website.dns')?.run(step!.input, { ...work, task: 'run' })
    expect(await answers(zoneId)).toEqual(['@ 3600 A 192.0.2.10', 'www 3600 A 192.0.2.10'])
    await ownWork('website.dns')?.undo?.(step!.input, { ...work, task: 'undo' })
    expect(await answers(zoneId)).toEqual(before)
  })
})

async function site(domain: string, zoneDomain = domain): Promise<{ id: number; zoneId: number }> {
  const zoneId = await zone(zoneDomain)
  const { body } = await call('POST', '/websites', requested(domain))
  await carryOut()
  return { id: body.data.id, zoneId }
}

describe('a website that is renamed', () => {
  it('gets records for new names, keeps old ones while they redirect, and leaves foreign records', async () => {
    const { id, zoneId } = await site('old.names.example', 'names.example')
    await call('PATCH', '/dns/records', { zoneId, create: [a('www.new', '203.0.113.9')] })
    const planned = (await call('POST', `/websites/${id}/rename/plan`, { newDomain: 'new.names.example' })).body
    const told = planned.changes.filter(({ title }: { title: string }) => title === 'DNS')
    expect(told).toMatchObject([
      { before: 'new.names.example leads nowhere', after: 'new.names.example leads to web-oslo' },
      { before: 'www.new.names.example A 203.0.113.9', after: 'www.new.names.example A 203.0.113.9' },
    ])
    const { body } = await call('PATCH', `/websites/${id}/rename`, { newDomain: 'new.names.example' })
    const plan = await planOf(body.workflowId)
    expect(plan.indexOf('website.dns')).toBeLessThan(plan.indexOf('nginx-site.rename'))
    await carryOut()
    expect(await answers(zoneId)).toEqual([
      'new 3600 A 192.0.2.10',
      'old 3600 A 192.0.2.10',
      'www.new 3600 A 203.0.113.9',
      'www.old 3600 A 192.0.2.10',
    ])
  })
})

describe('a website that moves', () => {
  it('shortens the TTL first, changes the records once the old server forwards, and restores the TTL at the end', async () => {
    const { id, zoneId } = await site('turned.example')
    await call('PATCH', '/dns/records', { zoneId, create: [a('@', '203.0.113.1'), a('other', OLD)] })
    const look = await turnOf(t.app.db, await readSite(t.app.db, id), oslo, bergen)
    expect(look.turned.map(({ name }) => name)).toEqual(['turned.example', 'www.turned.example'])
    const { body } = await call('POST', `/websites/${id}/migrate`, { targetServerId: bergen })
    const { workflow } = (await call('GET', `/websites/migrations/${body.id}`)).body
    const names: string[] = workflow.actions.map(({ name }: { name: string }) => name)
    const freeze = names.indexOf('transfer.open')
    expect(names.indexOf('website.dns-ttl')).toBeLessThan(freeze)
    expect(names.slice(-4)).toEqual(['website.dns', 'document-root.close', 'transfer.close', 'transfer.close'])
    const [ttl, turn] = ['website.dns-ttl', 'website.dns'].map((name) =>
      workflow.actions.find((one: { name: string }) => one.name === name),
    )
    const work = { app: t.app, signal: new AbortController().signal, say: () => {}, fence: () => {} }
    await ownWork(ttl.name)?.run(ttl.input, { ...work, task: 'run' })
    expect(await answers(zoneId)).toEqual([
      ...['@ 60 A 192.0.2.10', '@ 60 A 203.0.113.1', 'other 3600 A 192.0.2.10', 'www 60 A 192.0.2.10'],
    ])
    await ownWork(turn.name)?.run(turn.input, { ...work, task: 'run' })
    expect(await answers(zoneId)).toEqual([
      ...['@ 60 A 192.0.2.20', '@ 60 A 203.0.113.1', 'other 3600 A 192.0.2.10', 'www 60 A 192.0.2.20'],
    ])
    // a rollback restores the records of the old server
    await ownWork(turn.name)?.undo?.(turn.input, { ...work, task: 'undo' })
    await ownWork(ttl.name)?.undo?.(ttl.input, { ...work, task: 'undo' })
    expect((await answers(zoneId)).filter((line) => line.startsWith('www'))).toEqual(['www 3600 A 192.0.2.10'])
    await ownWork(ttl.name)?.run(ttl.input, { ...work, task: 'run' })
    await ownWork(turn.name)?.run(turn.input, { ...work, task: 'run' })
    await t.app.db.update(actions).set({ status: 'done' }).where(eq(actions.id, ttl.id))
    const [back] = await ttlBack(t.app.db, await readSite(t.app.db, id))
    await ownWork(back!.name)?.run(back!.input, { ...work, task: 'run' })
    expect((await answers(zoneId)).filter((line) => line.startsWith('www'))).toEqual(['www 3600 A 192.0.2.20'])
    expect(await ttlBack(t.app.db, await readSite(t.app.db, id))).toEqual([])
  })

  it('lists in its preflight the names to change, foreign names, and names managed elsewhere', async () => {
    const { id, zoneId } = await site('said.example')
    const { items } = (await call('GET', `/dns/records?zoneId=${zoneId}`)).body
    const www = items.find(({ name }: { name: string }) => name === 'www')
    await call('PATCH', '/dns/records', { zoneId, delete: [www.id], create: [a('www', '203.0.113.1')] })
    await call('POST', `/websites/${id}/alias`, { domain: 'said.example.net' })
    await carryOut()
    const room = { free: 50e9, freeInodes: 1e6, modules: [], folders: [] }
    const asking = call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    const [{ body }] = await Promise.all([
      asking,
      ...[oslo, bergen].map((one) => answerReads(t.app.db, one, () => room, asking)),
    ])
    const { findings } = body
    const dns = findings.filter(({ key }: { key: string }) => key === 'dns')
    expect(dns.map(({ level, text }: { level: string; text: string }) => `${level} ${text.split(':')[0]}`)).toEqual([
      'ok said.example',
      'warning www.said.example',
      'warning said.example.net, www.said.example.net',
    ])
  })
})
