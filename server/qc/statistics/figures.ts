import type { Overall, UserFigures } from '@innkeeper/contract/qc/statistics'
import type { Kind, Population } from '@innkeeper/contract/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { all } from '../../kit/db/page.ts'
import { readQueueSettings } from '../settings/queue.ts'

export interface Asked {
  from?: string | undefined
  to?: string | undefined
  kind?: Kind | undefined
  agent?: number[] | undefined
  department?: number[] | undefined
  reviewer?: number[] | undefined
  scoreType?: number[] | undefined
  population?: Population[] | undefined
}

/** A day counts whole: `to` is the last day. An instant counts to the millisecond. */
const isDay = (text: string) => text.length === 10

function matching(asked: Asked): SQL {
  const where: SQL[] = [sql`r.deleted_at is null`]
  const { from, to, kind, agent, department, reviewer, population } = asked
  if (from) where.push(sql`r.submitted_at >= ${from}::timestamptz`)
  if (to) where.push(isDay(to) ? sql`r.submitted_at < ${to}::date + 1` : sql`r.submitted_at <= ${to}::timestamptz`)
  if (kind) where.push(sql`r.kind = ${kind}`)
  if (agent) where.push(sql`r.agent_id = any(${sql.param(agent)}::int[])`)
  if (department) where.push(sql`r.department_id = any(${sql.param(department)}::int[])`)
  if (reviewer) where.push(sql`r.reviewer_id = any(${sql.param(reviewer)}::int[])`)
  if (population) where.push(sql`r.population = any(${sql.param(population)}::text[])`)
  return all(where)
}

const figures = sql.raw('count(score)::int as n, avg(score)::float8 as mean, stddev_samp(score)::float8 as spread')
const person = sql.raw(`json_build_object('id', u.user_id, 'name', u.first_name || ' ' || u.last_name)`)

interface Total {
  n: number
  mean: number | null
  spread: number | null
  withoutScore: number
  failed: number
}

/** Everything about the reviews that match, in five aggregates over the same rows. */
export async function overall(db: Db, asked: Asked): Promise<Overall> {
  const where = matching(asked)
  const [total] = await rows<Total>(
    db,
    sql`select ${figures}, count(*) filter (where score is null)::int as "withoutScore",
        count(*) filter (where is_failed)::int as failed from qc_reviews r where ${where}`,
  )
  const buckets = await rows<{ bucket: number; n: number }>(
    db,
    sql`select least(floor(score / 10), 9)::int as bucket, count(*)::int as n from qc_reviews r
      where ${where} and score is not null group by 1`,
  )
  const periods = await rows<Overall['periods'][number]>(
    db,
    sql`select to_char(date_trunc('week', submitted_at), 'YYYY-MM-DD') as period, ${figures} from qc_reviews r
      where ${where} group by 1 order by 1`,
  )
  const populations = await rows<Overall['populations'][number]>(
    db,
    sql`select population, ${figures} from qc_reviews r where ${where} group by 1 order by 1`,
  )
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  const mean = total?.mean ?? null
  return {
    ...(total ?? { n: 0, mean: null, spread: null, withoutScore: 0, failed: 0 }),
    minimumN,
    histogram: Array.from({ length: 10 }, (_, n) => buckets.find(({ bucket }) => bucket === n)?.n ?? 0),
    periods,
    populations,
    types: await ofTypes(db, where, asked.scoreType),
    reviewers: await ofReviewers(db, where, mean),
  }
}

/** Means of score types weigh each review alike. The name is the newest that a review has. */
const ofTypes = (db: Db, where: SQL, types: number[] | undefined) =>
  rows<Overall['types'][number]>(
    db,
    sql`select s.type_id as "typeId", (array_agg(s.type_name order by s.review_id desc))[1] as "typeName",
        count(*) filter (where s.value is null)::int as "notApplicable", count(s.value)::int as n, avg(s.value)::float8 as mean,
        stddev_samp(s.value)::float8 as spread
      from qc_scores s join qc_reviews r on r.qc_review_id = s.review_id
      where ${where} ${types ? sql`and s.type_id = any(${sql.param(types)}::int[])` : sql``} group by 1 order by min(s.position), 1`,
  )

async function ofReviewers(db: Db, where: SQL, mean: number | null): Promise<Overall['reviewers']> {
  const found = await rows<Omit<Overall['reviewers'][number], 'severity'>>(
    db,
    sql`select ${person} as reviewer, f.n, f.mean, f.spread
      from (select reviewer_id, ${figures} from qc_reviews r where ${where} group by 1) as f join users u on u.user_id = f.reviewer_id
      order by f.n desc, u.user_id limit 200`,
  )
  return found.map((one) => ({ ...one, severity: one.mean === null || mean === null ? null : one.mean - mean }))
}

/** Figures per agent. Ranks are given from `minimumN` reviews, the best mean first. */
export async function perAgent(
  db: Db,
  asked: Asked,
): Promise<{ items: UserFigures[]; total: number; minimumN: number }> {
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  const found = await rows<Omit<UserFigures, 'rank'>>(
    db,
    sql`select ${person} as agent, d.name as "departmentName", f.n, f.mean, f.spread, f.failed
      from (select agent_id, ${figures}, count(*) filter (where is_failed)::int as failed from qc_reviews r where ${matching(asked)} group by 1) as f
        join users u on u.user_id = f.agent_id left join departments d on d.department_id = u.department_id
      order by f.n >= ${minimumN} desc, f.mean desc nulls last, u.user_id limit 2000`,
  )
  const items = found.map((one, at) => {
    const better = found.findIndex(({ mean }) => mean === one.mean)
    return { ...one, rank: one.n >= minimumN && one.mean !== null ? Math.min(at, better < 0 ? at : better) + 1 : null }
  })
  return { items, total: items.length, minimumN }
}
