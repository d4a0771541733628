import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { packDays } from './days.ts'

/** Zones with their own days of clock changes, one without, three quarters of an hour off, and one that skips midnight. */
const zones = ['Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'America/Santiago', 'Australia/Lord_Howe']
/** Days around the clock changes of 2026 in these zones, a Sunday in a week of none, and New Year. */
const around = [
  ...['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25', '2026-11-01'],
  ...['2026-06-14', '2025-12-31'],
]
let t: TestApp
let token = ''
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  const agent = (await t.somebody([])).id
  const { db } = t.app
  await db.execute(sql`insert into departments (name) values ('North'), ('South')`)
  await db.execute(sql`insert into qc_sources (name) values ('Any')`)
  // one each twenty minutes of three days
  await db.execute(sql`with at as (select t, row_number() over (order by t) as n
      from unnest(${sql.param(around)}::date[]) as d, generate_series((d - 1)::timestamp at time zone 'UTC',
        (d + 2)::timestamp at time zone 'UTC', interval '20 minutes') as t),
    c as (insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_ids,
        agent_id, department_id, started_at, last_at, messages, status, csat, score)
      select 'chat', (select min(qc_source_id) from qc_sources), 'Z' || n, '', '', '', '', '{}', ${agent},
        (select min(department_id) from departments) + n % 2, t, t, 1, 'reviewed', 1 + n % 5, n % 101 from at
      returning qc_conversation_id, department_id, last_at, score)
    insert into qc_reviews (conversation_id, kind, agent_id, reviewer_id, department_id, population, score, is_failed, submitted_at)
    select qc_conversation_id, 'chat', ${agent}, ${agent}, department_id, 'sample', score, false, last_at from c`)
})
afterAll(() => t.close())

const ask = async (path: string) => (await t.call('GET', `/api/qa-statistics-v2/statistics/${path}`, { token })).body

it.each(zones)('begin and end their days and weeks by the clock of the organisation: %s', async (zone) => {
  await t.app.db.execute(sql`insert into workplaces (department_id, time_zone) values (null, ${zone})
    on conflict (department_id) do update set time_zone = excluded.time_zone`)
  const departments = await rows<{ id: number }>(t.app.db, sql`select department_id as id from departments order by 1`)
  const local = sql`(r.submitted_at at time zone ${zone}::text)`
  const plain = async (where = sql`true`) => {
    const found = await rows<{ day: string; week: string; n: number; mean: number }>(
      t.app.db,
      sql`select to_char(${local}, 'YYYY-MM-DD') as day, to_char(date_trunc('week', ${local}), 'YYYY-MM-DD') as week,
          count(*)::int as n, avg(score)::float8 as mean from qc_reviews r where ${where} group by 1, 2 order by 1`,
    )
    const weeks = [...Map.groupBy(found, ({ week }) => week)].map(([period, days]) => ({
      period,
      n: days.reduce((sum, { n }) => sum + n, 0),
    }))
    return { found, weeks }
  }
  const compare = async (when: string) => {
    const { found, weeks } = await plain()
    const whole = await ask('overall')
    expect(whole.periods, when).toMatchObject(weeks)
    for (const { day, n, mean } of found) {
      const ofDay = await ask(`overall?from=${day}&to=${day}`)
      expect([day, ofDay.n, ofDay.mean], when).toEqual([day, n, expect.closeTo(mean, 6)])
      expect((await ask(`reviews?from=${day}&to=${day}&itemsPerPage=1`)).total, day).toBe(n)
    }
    for (const { id } of departments) {
      const ofOne = await plain(sql`r.department_id = ${id}`)
      expect((await ask(`overall?department=${id}`)).periods, when).toMatchObject(ofOne.weeks)
      const [first, last] = [ofOne.found[3]!.day, ofOne.found.at(-4)!.day]
      const between = ofOne.found.slice(3, -3).reduce((sum, { n }) => sum + n, 0)
      expect((await ask(`overall?department=${id}&from=${first}&to=${last}`)).n, when).toBe(between)
    }
  }
  await compare(`${zone}, from reviews`)
  await packDays(t.app)
  await compare(`${zone}, packed`)
  const { weeks } = await plain()
  expect(
    (await ask('ratings')).periods.map(({ period, rated: n }: { period: string; rated: number }) => ({ period, n })),
  ).toEqual(weeks)
})
