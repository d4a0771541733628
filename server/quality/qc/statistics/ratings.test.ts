import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** A conversation: days after 1 March 2026, the agent, and what the customer and the reviewer said. */
type Case = [day: number, agent: 'ann' | 'bo' | 'eve', csat: number | null, score: number | null]
const cases: Case[] = [
  [0, 'ann', 5, 90],
  [0, 'ann', 1, null],
  [4, 'ann', null, 50],
  [9, 'ann', 4, 70],
  [10, 'ann', 2, 30],
  [1, 'bo', 3, 60],
  [12, 'bo', null, null],
  [2, 'eve', 5, 100],
]
/** The day from which Ann belongs to another team. */
const MOVED = 5
const teamOf = ([day, agent]: Case) => (agent === 'eve' ? null : agent === 'ann' && day >= MOVED ? 'South' : 'North')

const mean = (all: (number | null)[]) => {
  const found = all.filter((one) => one !== null)
  return found.length ? found.reduce((sum, one) => sum + one, 0) / found.length : null
}
/** The figures, counted by hand. */
function figuresOf(some: Case[]) {
  const both = some.filter(([, , csat, score]) => csat !== null && score !== null)
  return {
    rated: some.filter(([, , csat]) => csat !== null).length,
    csat: mean(some.map(([, , csat]) => csat)),
    both: both.length,
    csatOfBoth: mean(both.map(([, , csat]) => csat)),
    scoreOfBoth: mean(both.map(([, , , score]) => score)),
  }
}

test('ratings of customers stand beside scores, by team of that day and by week, within what the reader reaches', async () => {
  const { db } = t.app
  const [admin, ann, bo, eve] = [
    await t.somebody('admin'),
    await t.somebody([]),
    await t.somebody([]),
    await t.somebody([]),
  ]
  const ids = { ann: ann.id, bo: bo.id, eve: eve.id }
  await db.execute(sql`insert into qc_sources (name) values ('Any')`)
  await db.execute(sql`insert into dossier_teams (name) values ('North'), ('South')`)
  const member = (userId: number, team: string, from: number, to: number | null) =>
    db.execute(sql`insert into dossier_memberships (user_id, team_id, starts_on, ends_on)
      select ${userId}, dossier_team_id, date '2026-03-01' + ${from}::int, date '2026-03-01' + ${to}::int from dossier_teams where name = ${team}`)
  await member(ann.id, 'North', -30, MOVED - 1)
  await member(ann.id, 'South', MOVED, null)
  await member(bo.id, 'North', -30, null)
  for (const [n, [day, agent, csat, score]] of cases.entries())
    await db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_ids,
        agent_id, started_at, last_at, messages, status, csat, score)
      values ('chat', 1, ${`R${n}`}, '', '', '', '', ${sql.param([ids[agent]])}::int[], ${ids[agent]}, timestamptz '2026-03-01 10:00Z' + make_interval(days => ${day}),
        timestamptz '2026-03-01 10:00Z' + make_interval(days => ${day}), 1, 'reviewed', ${csat}, ${score})`)
  const ask = async (query = '', token = admin.token) =>
    (await t.call('GET', `/api/qa-statistics-v2/statistics/ratings${query}`, { token })).body
  const teams = (some: Case[]) =>
    (['North', 'South', null] as const).flatMap((name) => {
      const own = some.filter((one) => teamOf(one) === name)
      const counted = own.filter(([, , csat, score]) => csat !== null || score !== null)
      const scores = own.map(([, , , score]) => score)
      return counted.length
        ? [{ team: name, n: scores.filter((one) => one !== null).length, mean: mean(scores), ...figuresOf(own) }]
        : []
    })
  const named = (body: { teams: { team: { name: string } | null }[] }) =>
    body.teams
      .map((row) => ({ ...row, team: row.team?.name ?? null }))
      .toSorted((a, b) => (a.team ?? 'z').localeCompare(b.team ?? 'z'))
  const whole = await ask()
  expect(whole).toMatchObject(figuresOf(cases))
  expect(named(whole)).toEqual(teams(cases))
  // 1 March 2026 is a Sunday
  const weekOf = ([day]: Case) => (day === 0 ? '2026-02-23' : day < 8 ? '2026-03-02' : '2026-03-09')
  expect(whole.periods).toEqual(
    [
      ...Map.groupBy(
        cases.filter(([, , csat, score]) => csat !== null || score !== null),
        weekOf,
      ),
    ]
      .map(([period, some]) => ({ period, ...figuresOf(some) }))
      .toSorted((a, b) => a.period.localeCompare(b.period)),
  )
  const early = cases.filter(([day]) => day < MOVED)
  expect(named(await ask('?to=2026-03-05'))).toEqual(teams(early))
  const own = cases.filter(([, agent]) => agent === 'bo')
  expect(named(await ask(`?agent=${bo.id}`))).toEqual(teams(own))
  // somebody who reviews South only
  const limited = await t.somebody(['qa:statistics:read'])
  await db.execute(sql`insert into qc_reviewers (user_id, department_ids, team_ids)
    select ${limited.id}, '{}', array[dossier_team_id] from dossier_teams where name = 'South'`)
  const south = cases.filter((one) => teamOf(one) === 'South')
  expect(named(await ask('', limited.token))).toEqual(teams(south))
})
