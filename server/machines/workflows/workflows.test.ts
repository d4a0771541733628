import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beat, claim } from '../../kit/work/claim.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, begin, carryOut, enrolled, setAside, steps } from '../../test/work.ts'
import { serverStates } from '../servers/tables.ts'

let t: TestApp
let admin: string
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
})
afterAll(() => t.close())
beforeEach(() => setAside(t.app.db))

const get = (path: string, token = admin) => t.call('GET', `/api/workflows${path}`, { token })
const idsOf = async (query: string, token = admin): Promise<number[]> =>
  (await get(query, token)).body.items.map((w: { id: number }) => w.id)
const subject = (type: string, id: number) => ({ type, id, name: `${type} ${id}` })

describe('workflows', () => {
  it('are visible to people who may see their subject', async () => {
    const site = await begin(t.app.db, { subject: subject('website', 50), plan: steps(1) })
    const server = await begin(t.app.db, { subject: subject('server', 51), plan: steps(1) })
    const mayWebsites = (await t.somebody(['website:website:read'])).token
    const mayServers = (await t.somebody(['server:server:read'])).token
    const mayNothing = (await t.somebody([])).token
    expect(await idsOf('', mayWebsites)).toContain(site)
    expect(await idsOf('', mayWebsites)).not.toContain(server)
    expect(await idsOf('', mayServers)).toContain(server)
    expect(await idsOf('', mayServers)).not.toContain(site)
    expect((await get('', mayNothing)).body).toEqual({ items: [], total: 0 })
    const [action] = await actionsOf(t.app.db, site)
    for (const path of [`/${site}`, `/${site}/output?actionId=${action!.id}`]) {
      expect((await get(path, mayWebsites)).status).toBe(200)
      expect((await get(path, mayServers)).status).toBe(404)
    }
  })

  it('are found by subject, starter and state', async () => {
    const mona = await t.somebody(['website:website:read'])
    const mine = await begin(t.app.db, { subject: subject('website', 60), plan: steps(1), startedById: mona.id })
    expect(await idsOf('?subjectType=website&subjectId=60')).toEqual([mine])
    expect(await idsOf('?mine=true', mona.token)).toEqual([mine])
    expect(await idsOf('?subjectId=60&status=running,failed')).toEqual([mine])
    expect(await idsOf('?subjectId=60&status=done')).toEqual([])
  })

  it('wait while their server is offline, with the reason', async () => {
    const server = await enrolled(t.app.db, 'web-away')
    const id = await begin(t.app.db, { subject: subject('website', 61), plan: steps(2, server) })
    const states = async () => ({
      shown: (await get(`/${id}`)).body.status,
      waiting: (await idsOf('?subjectId=61&status=waiting')).length,
      running: (await idsOf('?subjectId=61&status=running')).length,
      open: (await idsOf('?subjectId=61&status=running,waiting')).length,
    })
    expect(await states()).toEqual({ shown: 'running', waiting: 0, running: 1, open: 1 })
    await t.app.db
      .update(serverStates)
      .set({ lastSeenAt: sql`now() - interval '1 minute'` })
      .where(eq(serverStates.serverId, server))
    expect(await states()).toEqual({ shown: 'waiting', waiting: 1, running: 0, open: 1 })
    expect((await get(`/${id}`)).body.waitsFor).toMatch(/^web-away has not been heard from since \d\d:\d\d UTC$/)
    await t.app.db.delete(serverStates).where(eq(serverStates.serverId, server))
    expect((await get(`/${id}`)).body.waitsFor).toBe('web-away has not been heard from yet')
  })

  it('show their progress, and the log lines of an action from an offset', async () => {
    const id = await begin(t.app.db, { subject: subject('website', 62), plan: steps(3) })
    await carryOut(t.app.db, null)
    expect((await get(`/${id}`)).body).toMatchObject({
      done: 1,
      count: 3,
      current: 'Note',
      undo: false,
      waitsFor: null,
    })
    const [op] = await claim(t.app.db, null, 'short', 1)
    const chunk = (seq: number) => ({ id: op!.id, attempt: 1, seq, at: 0, text: `line ${seq}` })
    await beat(t.app.db, null, [], [chunk(0), chunk(1), chunk(2)])
    const lines = async (query: string) =>
      (await get(`/${id}/output?actionId=${op!.id}${query}`)).body.items.map((line: { text: string }) => line.text)
    expect(await lines('')).toEqual(['line 0', 'line 1', 'line 2'])
    expect(await lines('&after=1')).toEqual(['line 2'])
    expect(await lines('&attempt=2')).toEqual([])
    const [other] = await actionsOf(t.app.db, await begin(t.app.db))
    expect((await get(`/${id}/output?actionId=${other!.id}`)).status).toBe(404)
  })
})

describe('acting on a workflow', () => {
  async function failed(type: string) {
    const id = await begin(t.app.db, { subject: subject(type, 70), plan: steps(1) })
    const [action] = await actionsOf(t.app.db, id)
    await t.app.db.execute(sql`update actions set status = 'failed', reason = 'no' where action_id = ${action!.id}`)
    await t.app.db.execute(sql`update workflows set status = 'failed' where workflow_id = ${id}`)
    return `/api/workflows/${id}/actions/${action!.id}`
  }
  const body = { actionType: 'skip', status: 'skipped', reason: 'not needed' }

  it('needs the orchestrator’s permission, and for a server also that of servers', async () => {
    const { token } = await t.somebody(['website:orchestrator:update', 'website:website:read', 'server:server:read'])
    expect(await t.call('PATCH', await failed('website'), { token, body })).toMatchObject({
      status: 200,
      body: { status: 'done', actions: [{ status: 'skipped', reason: expect.stringContaining('not needed') }] },
    })
    expect(await t.call('PATCH', await failed('server'), { token, body })).toMatchObject({
      status: 403,
      body: { message: 'Needs “Change servers”' },
    })
    const blind = await t.somebody(['website:orchestrator:update'])
    expect((await t.call('PATCH', await failed('website'), { token: blind.token, body })).status).toBe(404)
    const reader = await t.somebody(['website:website:read'])
    expect((await t.call('PATCH', await failed('website'), { token: reader.token, body })).status).toBe(403)
  })

  it('is logged with the workflow’s subject', async () => {
    const path = await failed('website')
    await t.call('PATCH', path, { token: admin, body })
    const id = Number(/workflows\/(\d+)/.exec(path)?.[1])
    const log = await t.app.db.execute(sql`select result, before->>'status' as before, after->>'status' as after
      from action_logs where workflow_id = ${id}`)
    expect((log as unknown as { rows: unknown[] }).rows).toEqual([
      { result: 'success', before: 'failed', after: 'done' },
    ])
  })
})
