import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { dayIn } from '../../../planning/calendar/times.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import type { Asked } from './asked.ts'
import { packDays, unpackDays } from './days.ts'
import { overall, perAgent } from './figures.ts'

const DAY = 86_400_000
const REVIEWS = 400
let t: TestApp
let agents: number[]
let reviewers: number[]
/** Time zone of the organisation. */
let zone = 'UTC'

interface Stored {
  kind: string
  population: string
  agent: number
  reviewer: number
  department: number | null
  at: string
  score: number | null
  failed: boolean
  scores: { type: number; value: number | null }[]
}

beforeAll(async () => {
  t = await openTestApp()
  const people = await Promise.all(Array.from({ length: 6 }, () => t.somebody([])))
  agents = people.slice(0, 3).map(({ id }) => id)
  reviewers = people.slice(3).map(({ id }) => id)
  const { db } = t.app
  await db.execute(sql`insert into qc_sources (name) values ('Any')`)
  await db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_ids,
      started_at, last_at, messages, status)
    select case when i % 3 = 0 then 'ticket' else 'chat' end, (select min(qc_source_id) from qc_sources), 'S' || i, '', '', '', '', '{}',
      now(), now(), 1, 'reviewed' from generate_series(1, ${REVIEWS}) i`)
  // spread over seventy days until now, with gaps
  await db.execute(sql`insert into qc_reviews (conversation_id, kind, agent_id, reviewer_id, department_id, population, score, is_failed, submitted_at)
    select c.qc_conversation_id, c.kind, (${sql.param(agents)}::int[])[1 + i % 3], (${sql.param(reviewers)}::int[])[1 + i % 7 % 3],
      nullif(i % 4, 0),
      (array['sample', 'manual'])[1 + i % 2], case when i % 11 > 0 then i * 37 % 101 end, i % 13 = 0, now() - (i * i % 1680) * interval '1 hour'
    from (select row_number() over (order by qc_conversation_id)::int as i, * from qc_conversations) c`)
  await db.execute(sql`insert into qc_scores (review_id, type_id, type_name, weight, is_critical, value, position)
    select r.qc_review_id, n, 'Type ' || n, 10, false, case when (r.qc_review_id + n) % 5 > 0 then (r.qc_review_id * n) % 101 end, n
    from qc_reviews r, generate_series(1, 3) n`)
})
afterAll(() => t.close())

const localDay = (at: string) => dayIn(new Date(at).toISOString(), zone)
const mondayOf = (at: string) => {
  const time = Date.parse(localDay(at))
  return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10)
}
function spreadOf(values: number[]) {
  if (values.length < 2) return null
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return expect.closeTo(Math.sqrt(squares / (values.length - 1)), 6)
}

const readAll = () =>
  rows<Stored>(
    t.app.db,
    sql`select r.kind, r.population, r.agent_id as agent, r.reviewer_id as reviewer, r.department_id as department, r.submitted_at::text as at, r.score, r.is_failed as failed,
      (select json_agg(json_build_object('type', s.type_id, 'value', s.value)) from qc_scores s where s.review_id = r.qc_review_id) as scores
    from qc_reviews r where deleted_at is null`,
  )

/** Figures computed directly from the list of reviews, for comparison. */
function byHand(
  stored: readonly Stored[],
  { from, to, kind, agent, department, reviewer, population, scoreType }: Filters,
) {
  const found = stored.filter((one) => {
    const [at, date] = [Date.parse(one.at), localDay(one.at)]
    return (
      (!from || (from.length === 10 ? date >= from : at >= Date.parse(from))) &&
      (!to || (to.length === 10 ? date <= to : at <= Date.parse(to))) &&
      (!kind || one.kind === kind) &&
      (!agent || agent.includes(one.agent)) &&
      (!department || department.includes(one.department ?? 0)) &&
      (!reviewer || reviewer.includes(one.reviewer)) &&
      (!population || (population as string[]).includes(one.population))
    )
  })
  const values = found.flatMap(({ score }) => (score === null ? [] : [score]))
  const given = found.flatMap(({ scores }) => scores).filter(({ type }) => !scoreType || scoreType.includes(type))
  const types = [...Map.groupBy(given, ({ type }) => type)].sort(([a], [b]) => a - b)
  const meanOf = (all: number[]) =>
    all.length ? expect.closeTo(all.reduce((sum, one) => sum + one, 0) / all.length, 6) : null
  return {
    n: values.length,
    mean: meanOf(values),
    withoutScore: found.length - values.length,
    failed: found.filter(({ failed }) => failed).length,
    spread: spreadOf(values),
    histogram: Array.from(
      { length: 10 },
      (_, bar) => values.filter((one) => Math.min(9, Math.floor(one / 10)) === bar).length,
    ),
    periods: [...Map.groupBy(found, ({ at }) => mondayOf(at))]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([period, ofWeek]) => ({ period, n: ofWeek.filter(({ score }) => score !== null).length })),
    types: types.map(([typeId, all]) => {
      const counted = all.flatMap(({ value }) => (value === null ? [] : [value]))
      return { typeId, n: counted.length, mean: meanOf(counted), notApplicable: all.length - counted.length }
    }),
    departments: [...Map.groupBy(found, ({ department: id }) => id ?? 0)]
      .map(([id, all]) => ({ id, n: all.filter(({ score }) => score !== null).length }))
      .sort((a, b) => b.n - a.n || a.id - b.id)
      .map(({ id, n }) => ({ department: id ? { id } : null, n })),
    reviewers: [...new Set(found.filter(({ score }) => score !== null).map(({ reviewer: id }) => id))].length,
  }
}

const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10)
type Filters = Omit<Asked, 'zone'>
const spans: Filters[] = [
  {},
  { from: day(40) },
  { from: day(38), to: day(9) },
  { from: day(3) },
  { to: day(12) },
  { from: day(20), to: day(20) },
  { from: `${day(30)}T11:22:33.000Z`, to: `${day(8)}T13:00:00.000Z` },
]
const filters = (): Filters[] => [
  {},
  { kind: 'ticket' },
  { population: ['sample'] },
  { agent: [agents[0] ?? 0] },
  { agent: agents.slice(1) },
  { reviewer: [reviewers[1] ?? 0] },
  { agent: agents.slice(0, 2), reviewer: reviewers.slice(0, 2) },
  { agent: agents.slice(1), reviewer: [reviewers[0] ?? 0], kind: 'chat', population: ['manual'] },
  { department: [2] },
  { department: [1, 2], agent: agents.slice(1), reviewer: reviewers.slice(0, 2), scoreType: [1] },
  { scoreType: [2] },
  { scoreType: [1, 3], kind: 'chat', reviewer: reviewers.slice(1) },
]

/** Each round tries different pairs of filters and spans, because trying all pairs would take too long. */
let round = 0
async function compareAll(when: string): Promise<void> {
  const stored = await readAll()
  round++
  for (const [n, filter] of filters().entries())
    for (const span of [spans[(n + round) % spans.length], spans[(n + 3 * round + 2) % spans.length]]) {
      const asked = { ...span, ...filter, zone }
      const { reviewers: whole, ...rest } = byHand(stored, asked)
      const found = await overall(t.app.db, asked)
      expect(found, `${when}: ${JSON.stringify(asked)}`).toMatchObject(rest)
      expect(found.reviewers.filter(({ n }) => n > 0).length).toBe(whole)
      const users = await perAgent(t.app.db, asked)
      expect(users.items.reduce((sum, { n }) => sum + n, 0)).toBe(rest.n)
    }
}

it('are the same from reviews, from packed days, and after changes', async () => {
  await compareAll('nothing is packed')
  await packDays(t.app)
  const days = () => rows(t.app.db, sql`select from qc_review_days`)
  expect((await days()).length).toBeGreaterThan(60)
  await compareAll('everything is packed')
  // a change of a review removes its packed day, however old the review is
  for (const ago of [2, 10, 33, 61]) {
    const [one] = await rows<{ id: number; at: string }>(
      t.app.db,
      sql`update qc_reviews set score = 7 where qc_review_id = (select qc_review_id from qc_reviews
        where submitted_at < now() - make_interval(days => ${ago}) order by submitted_at desc limit 1)
        returning qc_review_id as id, submitted_at as at`,
    )
    await t.app.db.execute(sql`update qc_scores set value = 99 where review_id = ${one?.id} and type_id = 2`)
    await unpackDays(t.app.db, [one?.at ?? ''])
  }
  await compareAll('some days are not packed')
  await packDays(t.app)
  await compareAll('all again')
  for (const [deletedAt, when] of [
    [sql`now()`, 'some are deleted'],
    [sql`null`, 'they are back'],
  ] as const) {
    const changed = await rows<{ at: string }>(
      t.app.db,
      sql`update qc_reviews set deleted_at = ${deletedAt} where qc_review_id % 9 = 0 returning submitted_at as at`,
    )
    await unpackDays(
      t.app.db,
      changed.map(({ at }) => at),
    )
    await compareAll(`${when}, not packed`)
    await packDays(t.app)
    await compareAll(`${when}, packed`)
  }
})

it('follow the time zone of the organisation, also where days were packed in another one', async () => {
  const inZone = async (timeZone: string) => {
    await t.app.db.execute(sql`insert into workplaces (department_id, time_zone) values (null, ${timeZone})
      on conflict (department_id) do update set time_zone = excluded.time_zone`)
    zone = timeZone
  }
  const packed = async () => (await rows(t.app.db, sql`select from qc_review_days where time_zone = ${zone}`)).length
  for (const timeZone of ['Pacific/Kiritimati', 'America/New_York', 'Europe/Oslo']) {
    await inZone(timeZone)
    expect(await packed()).toBe(0)
    await compareAll(`nothing is packed in ${zone}`)
    await packDays(t.app)
    expect(await packed()).toBeGreaterThan(60)
    await compareAll(`everything is packed in ${zone}`)
    const [one] = await rows<{ at: string }>(
      t.app.db,
      sql`update qc_reviews set score = 100 - score where qc_review_id = (select qc_review_id from qc_reviews
        where score is not null and submitted_at < now() - interval '3 days' order by submitted_at desc limit 1) returning submitted_at as at`,
    )
    const before = await packed()
    await unpackDays(t.app.db, [one?.at ?? ''])
    expect(await packed()).toBe(before - 1)
    await compareAll(`a day is unpacked in ${zone}`)
  }
  await t.app.db.execute(sql`delete from workplaces`)
  zone = 'UTC'
})

it('show how far reviewers are from each other in calibrations whose scores are revealed', async () => {
  const { db } = t.app
  const [a = 0, b = 0] = reviewers
  const scores = (value: number) =>
    JSON.stringify([
      { typeId: 1, value },
      { typeId: 2, value: null },
    ])
  const calibrate = async (closed: boolean, first: number, second: number) => {
    const [made] = await rows<{ id: number }>(
      db,
      sql`insert into qc_calibrations (conversation_id, kind, title, closed_at)
        select min(qc_conversation_id), 'chat', 'Tone', ${closed ? new Date().toISOString() : null}::timestamptz from qc_conversations
        returning qc_calibration_id as id`,
    )
    await db.execute(sql`insert into qc_calibration_reviews (calibration_id, reviewer_id, submitted_at, scores) values
      (${made?.id}, ${a}, now(), ${scores(first)}::jsonb), (${made?.id}, ${b}, ${closed ? sql`now()` : sql`null`}, ${scores(second)}::jsonb)`)
  }
  await calibrate(true, 80, 60)
  await calibrate(true, 50, 60)
  await calibrate(false, 0, 100)
  const { reviewers: found } = await overall(db, { zone })
  const of = (id: number) => found.find(({ reviewer }) => reviewer.id === id)?.agreement
  expect([of(a), of(b), of(reviewers[2] ?? 0)]).toEqual([{ n: 2, distance: 15 }, { n: 2, distance: 15 }, null])
  expect((await overall(db, { kind: 'ticket', zone })).reviewers.every(({ agreement }) => agreement === null)).toBe(
    true,
  )
})
