import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claim, finish } from '../../../kit/work/claim.ts'
import { retain } from '../../../kit/work/retention.ts'
import { actions, workflows } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { actionsOf, begin, enrolled, setAside, steps } from '../../../test/work.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-errors')
})
afterAll(() => t.close())
beforeEach(() => setAside(t.app.db))

const call = (method: 'GET' | 'POST', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/website-orchestrator/errors${path}`, { token, body })

/** Creates a website whose first action failed with this message. Returns the id of the action. */
async function stop(domain: string, reason: string, on = server): Promise<number> {
  const subject = { type: 'website', id: ++ids, name: domain }
  const plan = steps(2, on).map((one) => ({ ...one, resource: subject }))
  const workflow = await begin(t.app.db, { subject, plan, locks: [`website:${ids}`] })
  const [op] = await claim(t.app.db, on, 'short', 1)
  await finish(t.app.db, on, [{ id: op!.id, attempt: op!.attempt, status: 'failed', reason }])
  expect(workflow).toBeGreaterThan(0)
  return op!.id
}
let ids = 9000
const statusOf = async (id: number) => (await t.app.db.select().from(actions).where(eq(actions.id, id)))[0]?.status

describe('failed websites', () => {
  it('are grouped by error message without names and numbers, most frequent first', async () => {
    await stop('one.example', 'http://one.example/ answers 502 after 12 s')
    await stop('two.example', 'http://two.example/ answers 502 after 9 s')
    await stop('three.example', 'the disk is full')
    const { body } = await call('GET', '')
    expect(body.items).toMatchObject([
      {
        reason: 'http://…/ answers # after # s',
        count: 2,
        examples: [{ domain: 'one.example' }, { domain: 'two.example' }],
      },
      { reason: 'the disk is full', count: 1, examples: [{ domain: 'three.example' }] },
    ])
    const other = await enrolled(t.app.db, 'web-errors-2')
    expect((await call('GET', `?server=${other}`)).body.items).toEqual([])
    expect((await call('GET', `?server=${server}`)).body.total).toBe(2)
  })

  it('are retried together, with a result for each', async () => {
    const first = await stop('a.example', 'the disk of a.example is full')
    const second = await stop('b.example', 'the disk of b.example is full')
    const other = await stop('c.example', 'something else')
    const [{ key }] = (await call('GET', '')).body.items
    const { status, body } = await call('POST', `/${key}/retry`, {})
    expect(status).toBe(200)
    expect(body.items.map((item: { domain: string; error: string | null }) => [item.domain, item.error])).toEqual([
      ['a.example', null],
      ['b.example', null],
    ])
    expect(body).toMatchObject({ begun: 2, refused: 0 })
    expect(await Promise.all([first, second, other].map(statusOf))).toEqual(['ready', 'ready', 'failed'])
    expect((await call('GET', '')).body.items).toMatchObject([{ reason: 'something else' }])
    expect((await call('POST', `/${key}/retry`, {})).status).toBe(404)
    expect((await call('POST', '/nonsense/retry', {})).status).toBe(400)
  })
})

describe('resources over all websites', () => {
  const of = (type: string, id: number, name = 'shop.example', on: number | null = server) =>
    steps(1, on).map((one) => ({ ...one, resource: { type, id, name } }))
  const startedFor = (name: string, plan: ReturnType<typeof steps>, type = 'website') =>
    begin(t.app.db, { subject: { type, id: ++ids, name }, plan, locks: [] })
  const listed = async (query: string): Promise<[type: string, id: number, domain: string][]> => {
    const { body } = await t.call('GET', `/api/website-orchestrator/resources?${query}`, { token: admin })
    return body.items.map((one: Record<string, unknown>) => [one.resourceType, one.resourceId, one.domain])
  }

  it('show a website’s last workflow, found by name, kind, state and server; workflows of servers are left out', async () => {
    const other = await enrolled(t.app.db, 'web-resources')
    await startedFor('first.resources.example', [...of('document-root', 1), ...of('php-pool', 1)])
    await startedFor('second.resources.example', [...of('php-pool', 1, 'x', other), ...of('php-pool', 2, 'x', null)])
    await startedFor('third.resources.example', of('document-root', 3))
    await startedFor('web-resources', of('document-root', 3), 'server')
    expect(await listed('domain=.resources.')).toEqual([
      ['document-root', 3, 'third.resources.example'],
      ['php-pool', 2, 'second.resources.example'],
      ['php-pool', 1, 'second.resources.example'],
      ['document-root', 1, 'first.resources.example'],
    ])
    expect(await listed('domain=.resources.&resourceType=document-root')).toHaveLength(2)
    expect(await listed('domain=.resources.&status=ready')).toEqual([
      ['document-root', 3, 'third.resources.example'],
      ['php-pool', 1, 'second.resources.example'],
      ['document-root', 1, 'first.resources.example'],
    ])
    expect(await listed('domain=.resources.&status=pending')).toEqual([['php-pool', 2, 'second.resources.example']])
    expect(await listed(`server=${other}`)).toEqual([['php-pool', 1, 'second.resources.example']])
    expect(await listed(`server=${other}&status=done`)).toEqual([])
  })

  it('show an older workflow once the newer one is deleted', async () => {
    const older = await startedFor('older.kept.example', [...of('redis', 7), ...of('redis', 8)])
    const newer = await startedFor('newer.kept.example', [...of('redis', 7), ...of('redis', 9)])
    expect(await listed('domain=.kept.')).toEqual([
      ['redis', 9, 'newer.kept.example'],
      ['redis', 7, 'newer.kept.example'],
      ['redis', 8, 'older.kept.example'],
    ])
    const long = sql`now() - interval '400 days'`
    await t.app.db
      .update(workflows)
      .set({ startedAt: long, endedAt: long, status: 'done' })
      .where(eq(workflows.id, newer))
    await retain(t.app)
    const kept = (await actionsOf(t.app.db, older)).map(({ resourceId }) => ['redis', resourceId, 'older.kept.example'])
    expect(await listed('domain=.kept.')).toEqual(kept.toReversed())
  })
})
