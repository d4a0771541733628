import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { refill } from '../conversations/refill.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { runCron } from '../settings/runCron.ts'
import { drawDay } from './draw.ts'

let t: TestApp
let admin: string
let agents: number[]
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, ...(body !== undefined && { body }) })

beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  agents = (await Promise.all(Array.from({ length: 2 }, () => t.somebody([])))).map(({ id }) => id)
  await t.app.db.execute(sql`insert into qc_sources (name) values ('Any')`)
})
afterAll(() => t.close())
beforeEach(async () => {
  for (const table of ['qc_drawn_agents', 'qc_draws', 'qc_conversations'])
    await t.app.db.execute(sql`delete from ${sql.raw(table)}`)
})

/** Sets the queue to samples with this quota, without factors. */
const sampling = async (kind: string, quota: number, period: string) => {
  const { body } = await call('GET', `/qa-controller-v2/queue-settings?kind=${kind}`)
  const fields = {
    kind,
    mode: 'sample',
    quota,
    period,
    newFactor: 1,
    lowFactor: 1,
    minMessages: 1,
    version: body.version,
  }
  expect((await call('PATCH', '/qa-controller-v2/queue-settings', fields)).status).toBe(200)
}

let made = 0
/** Conversations of an agent, whose last message and import are so many days before the current day. */
const conversations = async (
  agentId: number,
  n: number,
  { at, importedAt = at, kind = 'chat' }: { at: string; importedAt?: string; kind?: string },
) => {
  made += n
  await t.app.db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_id,
      agent_ids, started_at, last_at, created_at, messages, status)
    select ${kind}, (select min(qc_source_id) from qc_sources), 'D' || (${made} - i), '', 'Words', '', '', ${agentId}, '{}',
      ${at}::timestamptz, ${at}::timestamptz, ${importedAt}::timestamptz, 3, 'imported' from generate_series(0, ${n - 1}) i`)
}

const draw = (kind: 'chat' | 'ticket' = 'chat') => t.app.db.transaction((tx) => refill(tx, kind))
const draws = async () => (await call('GET', '/qa-controller-v2/queue-draws?itemsPerPage=200')).body.items
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Lets the database draw as if these days had passed since. */
const age = (days: number) =>
  t.app.db.execute(sql`update qc_draws set day = day - ${days}::int, period_start = period_start - ${days}::int`)

describe('a sample', () => {
  it('is drawn after the day has ended, and what was drawn from what can be repeated', async () => {
    await sampling('chat', 3, 'day')
    await conversations(agents[0] ?? 0, 20, { at: `${daysAgo(1)}T10:00:00Z` })
    await conversations(agents[1] ?? 0, 2, { at: `${daysAgo(1)}T11:00:00Z` })
    await conversations(agents[0] ?? 0, 5, { at: new Date().toISOString() })
    expect(await draw()).toBe(5)
    expect(await draw()).toBe(0)
    const items = await draws()
    expect(items).toHaveLength(2)
    const [most, few] = items.sort(
      (a: { poolIds: number[] }, b: { poolIds: number[] }) => b.poolIds.length - a.poolIds.length,
    )
    expect(most).toMatchObject({ day: daysAgo(1), quota: 3, due: 3, agent: { id: agents[0] } })
    expect([most.poolIds.length, most.drawnIds.length]).toEqual([20, 3])
    expect([few.poolIds.length, few.drawnIds.length]).toEqual([2, 2])
    const digest = (id: number) => createHash('md5').update(`${most.seed}:${id}`).digest('hex')
    const again = most.poolIds.toSorted((a: number, b: number) => (digest(a) < digest(b) ? -1 : 1)).slice(0, 3)
    expect(again.toSorted((a: number, b: number) => a - b)).toEqual(most.drawnIds)
  })

  it('gives a conversation that is imported late its chance on the day of the import', async () => {
    await sampling('chat', 1, 'day')
    await conversations(agents[0] ?? 0, 1, { at: `${daysAgo(2)}T10:00:00Z`, importedAt: `${daysAgo(1)}T10:00:00Z` })
    expect(await draw()).toBe(1)
    await conversations(agents[0] ?? 0, 9, { at: `${daysAgo(40)}T10:00:00Z`, importedAt: `${daysAgo(1)}T10:00:00Z` })
    await age(1)
    expect(await draw()).toBe(0) // too old: from before the period before
  })

  it('follows days of the organisation', async () => {
    await t.app.db.execute(sql`insert into workplaces (department_id, time_zone) values (null, 'Pacific/Kiritimati')`)
    await sampling('chat', 5, 'day')
    const [now] = await rows<{ begins: string }>(
      t.app.db,
      sql`select date_trunc('day', now(), 'Pacific/Kiritimati')::text as begins`,
    )
    const begins = Date.parse(now?.begins ?? '')
    await conversations(agents[0] ?? 0, 1, { at: new Date(begins - 1000).toISOString() })
    await conversations(agents[1] ?? 0, 1, { at: new Date(begins).toISOString() })
    expect(await draw()).toBe(1)
    expect(await draws()).toMatchObject([{ agent: { id: agents[0] } }])
    await t.app.db.execute(sql`delete from workplaces`)
  })
})

describe('a sample of a week', () => {
  const [people, quota] = [120, 4]
  /** Conversations of each day from Monday on: Friday is thin. */
  const ofDays = [6, 6, 6, 6, 1]
  const places = 25
  let agentsFrom = 0
  beforeAll(async () => {
    agentsFrom = (await t.somebody([])).id
    await t.app.db.execute(sql`insert into users (username, email, first_name, last_name, password_hash)
      select 'agent' || i, 'agent' || i || '@example.org', 'Agent', i::text, '' from generate_series(1, ${people}) i`)
  })
  /** Everybody has these conversations in the week of a Monday; the digest names the place in the week. */
  const converse = (monday: string, times = 1) =>
    t.app.db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_id,
        agent_ids, started_at, last_at, created_at, messages, status)
      select 'chat', (select min(qc_source_id) from qc_sources), ${monday} || u.user_id || '-' || day || '-' || n, day || '-' || n, 'Words', '', '', u.user_id, '{}',
        at, at, at, 3, 'imported'
      from users u, unnest(${sql.param(ofDays)}::int[]) with ordinality as d (many, day), generate_series(1, many * ${times}) n,
        lateral (select ${`${monday}T08:00:00Z`}::timestamptz + (day - 1) * interval '1 day' + n * interval '20 minutes' as at) x
      where u.user_id > ${agentsFrom}`)
  const dayAfter = (day: string, n: number) => new Date(Date.parse(day) + n * 86_400_000).toISOString().slice(0, 10)
  /** Draws the days of a week; answers how often each place was drawn, and how many were drawn before its last day. */
  const drawn = async (monday: string) => {
    const settings = {
      ...(await readQueueSettings(t.app.db, 'chat')),
      quota,
      period: 'week' as const,
      newFactor: 1,
      lowFactor: 1,
      minMessages: 1,
    }
    const week = { periodStart: monday, formerStart: dayAfter(monday, -7), days: 7 }
    let early = 0
    for (let nth = 1; nth <= 7; nth++) {
      const n = await drawDay(t.app.db, settings, { ...week, nth, day: dayAfter(monday, nth - 1) }, 'UTC')
      if (nth < 7) early += n
    }
    const found = await rows<{ agent: number; place: string }>(
      t.app.db,
      sql`select agent_id as agent, digest as place from qc_conversations where queued_by = 'sample' and external_id like ${`${monday}%`}`,
    )
    const ofAgents = [...Map.groupBy(found, ({ agent }) => agent).values()].map(({ length }) => length)
    expect(ofAgents).toEqual(Array.from({ length: people }, () => quota))
    return { early, times: Map.groupBy(found, ({ place }) => place) }
  }
  const distanceOf = (times: ReadonlyMap<string, unknown[]>) => {
    const expected = (people * quota) / places
    return [...times.values()].reduce((sum, { length }) => sum + (length - expected) ** 2 / expected, 0)
  }

  it('takes the quota exactly, each conversation with the same chance, on thin days too', async () => {
    await converse('2026-03-02')
    const first = await drawn('2026-03-02')
    expect(first.early).toBe(0) // nobody knows yet how many conversations a week has
    await converse('2026-03-09')
    const second = await drawn('2026-03-09')
    expect(second.early).toBeGreaterThan(people)
    for (const { times } of [first, second]) {
      expect(times.size).toBe(places)
      expect(distanceOf(times)).toBeLessThan(68) // chi square with 24 degrees of freedom: exceeded once in 250,000 runs
    }
  })

  it('leaves a chance for the end of a week that is busier than all before', async () => {
    await converse('2026-03-02')
    await drawn('2026-03-02')
    await converse('2026-03-09', 3)
    const { early, times } = await drawn('2026-03-09')
    expect(early).toBe(people * 3)
    expect([...times].filter(([place]) => place.startsWith('5-')).flatMap(([, all]) => all).length).toBeGreaterThan(0)
  })

  it('counts a conversation that goes on once', async () => {
    await converse('2026-03-09')
    const settings = {
      ...(await readQueueSettings(t.app.db, 'chat')),
      quota,
      period: 'week' as const,
      newFactor: 1,
      lowFactor: 1,
      minMessages: 1,
    }
    const week = { periodStart: '2026-03-09', formerStart: '2026-03-02', days: 7 }
    await drawDay(t.app.db, settings, { ...week, nth: 1, day: '2026-03-09' }, 'UTC')
    await t.app.db.execute(
      sql`update qc_conversations set last_at = last_at + interval '1 day' where digest like '1-%' and status = 'imported' and external_id like '2026-03-09%'`,
    )
    await drawDay(t.app.db, settings, { ...week, nth: 2, day: '2026-03-10' }, 'UTC')
    const pools = await rows<{ n: number }>(
      t.app.db,
      sql`select distinct cardinality(pool_ids) as n from qc_drawn_agents a join qc_draws d on d.qc_draw_id = a.draw_id where d.day = '2026-03-10'`,
    )
    expect(pools).toEqual([{ n: 6 }])
  })
})

it('of a cron filter holds per agent over the period, not per run', async () => {
  const { status, body } = await call('POST', '/ticket-controller/cron', {
    value: 'messages>=1',
    perAgent: 2,
    everyMinutes: 5,
  })
  expect(status).toBe(201)
  const run = async () => {
    await t.app.db.execute(sql`update qc_cron_filters set last_run_at = null`)
    await runCron(t.app)
    return (await call('GET', `/ticket-controller/cron/${body.id}`)).body.runs[0]
  }
  await conversations(agents[0] ?? 0, 5, { at: new Date().toISOString(), kind: 'ticket' })
  expect(await run()).toMatchObject({ matched: 5, queued: 2, capped: 3 })
  await conversations(agents[1] ?? 0, 1, { at: new Date().toISOString(), kind: 'ticket' })
  expect(await run()).toMatchObject({ matched: 4, queued: 1, capped: 3 })
  await t.app.db.execute(sql`update qc_conversations set queued_at = queued_at - interval '8 days'`)
  expect(await run()).toMatchObject({ matched: 3, queued: 2, capped: 1 })
})

it('of a cron filter that names nothing is refused beside the field', async () => {
  for (const value of ['tag:nope', 'source:nope', 'agent:nope', 'department:nope', 'csat<<2']) {
    const { status, body } = await call('POST', '/ticket-controller/cron', { value })
    expect([value, status, Object.keys(body.fields ?? body.error?.fields ?? {})]).toEqual([value, 422, ['value']])
  }
})
