import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { all } from '../../kit/db/page.ts'
import { type Asked, spanOf } from './asked.ts'

/** Weeks that one round sums up at most. */
const MOST = 60

const lockOf = (week: SQL) => sql`hashtext('qc week ' || ${week}::text)`

/**
 * Takes the weeks and days of changed reviews out of the sums, in the transaction of the change. The shared lock keeps the worker
 * from summing a week up while a change in it is not committed.
 */
export async function dirtyWeek(db: Db, instants: readonly string[]): Promise<void> {
  const weeks = sql`select distinct date_trunc('week', at)::date as week from unnest(${sql.param([...instants])}::timestamptz[]) as at`
  await db.execute(sql`select pg_advisory_xact_lock_shared(${lockOf(sql`week`)}) from (${weeks}) as w`)
  await db.execute(sql`delete from qc_summed_weeks where week in (${weeks})`)
  await db.execute(sql`delete from qc_summed_days where day in (
    select at::date from unnest(${sql.param([...instants])}::timestamptz[]) as at)`)
}

/** The worker's round: sums up past days and weeks that are not summed up, the newest first. */
export async function sumUp(app: App): Promise<void> {
  for (const day of await due(app.db, 'day')) await app.db.transaction((tx) => sumUpDay(tx, day))
  for (const week of await due(app.db, 'week')) await app.db.transaction((tx) => sumUpWeek(tx, week))
}

async function due(db: Db, unit: 'day' | 'week'): Promise<string[]> {
  const of = sql.raw(unit)
  const found = await rows<{ start: string }>(
    db,
    sql`select to_char(t, 'YYYY-MM-DD') as start
      from generate_series((select date_trunc('${of}', min(submitted_at)) from qc_reviews where deleted_at is null),
        date_trunc('${of}', now()) - interval '1 ${of}', interval '1 ${of}') as t
      where t::date not in (select ${of} from qc_summed_${of}s) order by t desc limit ${unit === 'day' ? 7 * MOST : MOST}`,
  )
  return found.map(({ start }) => start)
}

const histogram = Array.from({ length: 10 }, (_, n) => n)
/** Figures of reviews, to be summed up: names of the columns, and how `qc_reviews r` makes them. */
export const sums = [
  ['n', 'count(r.score)::int'],
  ['sum', 'coalesce(sum(r.score), 0)'],
  ['squares', 'coalesce(sum(r.score * r.score), 0)'],
  ['without_score', 'count(*) filter (where r.score is null)::int'],
  ['failed', 'count(*) filter (where r.is_failed)::int'],
  ...histogram.map((n) => [`h${n}`, `count(*) filter (where least(floor(r.score / 10), 9) = ${n})::int`] as const),
] as const
const columns = sql.raw(sums.map(([name]) => name).join(', '))
const made = sql.raw(sums.map(([, how]) => how).join(', '))

/** Locks a week. False: a review in it is being written, so the next round sums it up. */
async function lockWeek(db: Db, day: string): Promise<boolean> {
  const [lock] = await rows<{ free: boolean }>(
    db,
    sql`select pg_try_advisory_xact_lock(${lockOf(sql`date_trunc('week', ${day}::date)::date`)}) as free`,
  )
  return lock?.free ?? false
}

const scoreColumns = sql`type_id, kind, population, department_id, type_name, position, n, sum, squares, not_applicable`
/** Scores of the reviews from a day on, for some days. */
const scoresOf = (day: string, days: number, person: SQL = sql`0`) => sql`
  select r.person, s.type_id, r.kind, r.population, r.department_id, max(s.type_name) as type_name, min(s.position) as position,
    count(s.value)::int as n, coalesce(sum(s.value), 0) as sum, coalesce(sum(s.value::float8 * s.value), 0) as squares,
    count(*) filter (where s.value is null)::int as not_applicable
  from (select r.qc_review_id, r.kind, r.population, coalesce(r.department_id, 0) as department_id, ${person} as person
      from qc_reviews r where ${within(day, days)}) as r
    join qc_scores s on s.review_id = r.qc_review_id group by 1, 2, 3, 4, 5`
const within = (day: string, days: number) =>
  sql`r.deleted_at is null and r.submitted_at >= ${day}::date and r.submitted_at < ${day}::date + ${days}::int`

async function sumUpDay(db: Db, day: string): Promise<void> {
  if (!(await lockWeek(db, day))) return
  await db.execute(sql`delete from qc_day_scores where day = ${day}::date`)
  await db.execute(sql`insert into qc_day_scores (day, ${scoreColumns})
    select ${day}::date, ${scoreColumns} from (${scoresOf(day, 1)}) as scores`)
  await db.execute(sql`insert into qc_summed_days (day, at) values (${day}::date, now())`)
}

async function sumUpWeek(db: Db, week: string): Promise<void> {
  if (!(await lockWeek(db, week))) return
  await db.execute(sql`delete from qc_week_reviews where week = ${week}::date`)
  await db.execute(sql`delete from qc_week_scores where week = ${week}::date`)
  for (const by of ['agent', 'reviewer'] as const)
    await db.execute(sql`insert into qc_week_reviews (by, week, kind, population, department_id, person_id, ${columns})
      select ${by}, ${week}::date, r.kind, r.population, coalesce(r.department_id, 0), ${sql.identifier(`${by}_id`)}, ${made}
      from qc_reviews r where ${within(week, 7)} group by 3, 4, 5, 6`)
  for (const by of ['all', 'agent', 'reviewer'] as const)
    await db.execute(sql`insert into qc_week_scores (by, week, ${scoreColumns}, person_id)
      select ${by}, ${week}::date, ${scoreColumns}, person from (${scoresOf(week, 7, by === 'all' ? undefined : sql`r.${sql.identifier(`${by}_id`)}`)}) as scores`)
  const totals = sql`type_name, position, n, sum, squares, not_applicable`
  await db.execute(sql`delete from qc_week_totals where week = ${week}::date`)
  await db.execute(sql`insert into qc_week_totals (by, week, person_id, type_id, ${totals})
    select by, week, person_id, type_id, max(type_name), min(position), sum(n), sum(sum), sum(squares), sum(not_applicable)
    from qc_week_scores where week = ${week}::date and by <> 'all' group by 1, 2, 3, 4`)
  await db.execute(sql`insert into qc_summed_weeks (week, at) values (${week}::date, now())`)
}

/** The part of a time span that sums cover, and the rest, which is read from the reviews. */
export interface Cover {
  /** Condition over the column `week`. */
  weeks: SQL
  /** Condition over the column `day`: summed days outside of these weeks. */
  days: SQL
  /** Condition over `qc_reviews r`: what weeks do not cover. */
  rest: SQL
  /** Condition over `qc_reviews r`: what neither weeks nor days cover. */
  restOfDays: SQL
}
/** Nothing is covered. */
export const uncovered: Cover = { weeks: sql`false`, days: sql`false`, rest: sql`true`, restOfDays: sql`true` }

export async function coverOf(db: Db, asked: Asked): Promise<Cover> {
  const { begins, ends } = spanOf(asked)
  const inside = (unit: 'week' | 'day', days: number) =>
    all([
      ...(begins ? [sql`${sql.raw(unit)}::timestamptz >= ${begins}`] : []),
      ...(ends ? [sql`(${sql.raw(unit)} + ${days}::int)::timestamptz <= ${ends}`] : []),
    ])
  const weeks = sql`select week + n as day from qc_summed_weeks, generate_series(0, 6) n where ${inside('week', 7)}`
  const days = sql`select day from qc_summed_days where ${inside('day', 1)}`
  const [byWeek, byDay] = [await runsOf(db, weeks), await runsOf(db, sql`${weeks} union ${days}`)]
  return {
    weeks: among(sql`week`, byWeek),
    days: sql`${among(sql`day`, byDay)} and not ${among(sql`day`, byWeek)}`,
    rest: outside(byWeek),
    restOfDays: outside(byDay),
  }
}

interface Run {
  first: string
  behind: string
}
/** Runs of days without a gap. */
const runsOf = (db: Db, days: SQL): Promise<Run[]> =>
  rows<Run>(
    db,
    sql`select to_char(min(day), 'YYYY-MM-DD') as first, to_char(max(day) + 1, 'YYYY-MM-DD') as behind
      from (select day, day - (row_number() over (order by day))::int as run from (${days}) as d) as r group by run order by 1`,
  )

const among = (column: SQL, runs: readonly Run[]): SQL =>
  runs.length
    ? sql`(${sql.join(
        runs.map(({ first, behind }) => sql`(${column} >= ${first}::date and ${column} < ${behind}::date)`),
        sql` or `,
      )})`
    : sql`false`

/** What is before, between and behind runs, as ranges of the index. */
function outside(runs: readonly Run[]): SQL {
  if (!runs.length) return sql`true`
  const at = sql`r.submitted_at`
  const gaps = runs.map(({ behind }, n) => {
    const next = runs[n + 1]
    return next ? sql`(${at} >= ${behind}::date and ${at} < ${next.first}::date)` : sql`${at} >= ${behind}::date`
  })
  return sql`(${sql.join([sql`${at} < ${runs[0]?.first}::date`, ...gaps], sql` or `)})`
}
