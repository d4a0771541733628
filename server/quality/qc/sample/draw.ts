import { randomUUID } from 'node:crypto'
import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { beginOf, dayOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { candidates } from '../conversations/candidates.ts'
import { quotaOf } from './quota.ts'

export interface Due {
  day: string
  periodStart: string
  /** First day of the period before. */
  formerStart: string
  /** 1 on the first day of the period. */
  nth: number
  /** Number of days of the period. */
  days: number
}

/** Draws the sample of each day that has ended and was not drawn yet. Returns the number of queued conversations. */
export async function drawSample(db: Db, settings: QueueSettings): Promise<number> {
  const zone = await timeZoneOf(db)
  let queued = 0
  for (const due of await dueDays(db, settings, zone)) queued += await drawDay(db, settings, due, zone)
  return queued
}

/** Days since the last draw, at most those of yesterday's period and the period before; at first only yesterday's period. */
const dueDays = (db: Db, { kind, period }: QueueSettings, zone: string) => {
  const [unit, one] = [sql.raw(`'${period}'`), sql.raw(`interval '1 ${period}'`)]
  return rows<Due>(
    db,
    sql`select to_char(t, 'YYYY-MM-DD') as day, to_char(p, 'YYYY-MM-DD') as "periodStart", to_char(p - ${one}, 'YYYY-MM-DD') as "formerStart",
        t::date - p::date + 1 as nth, (p + ${one})::date - p::date as days
      from (select ${dayOf(sql`now()`, zone)} - 1 as yesterday) as y
        cross join lateral (select date_trunc(${unit}, yesterday::timestamp) as current) as c
        cross join generate_series(greatest(current - ${one}, coalesce((select max(day) + 1 from qc_draws where kind = ${kind})::timestamp, current)),
          yesterday::timestamp, interval '1 day') as t
        cross join lateral (select date_trunc(${unit}, t) as p) as period order by t`,
  )
}

/** A period may be so much busier than the busiest of the last ones until early draws have taken all that they may. */
const BUSIER = 1.25
/** Former periods that tell how many conversations an agent has. */
const FORMER = 4

/**
 * Draws from the conversations that arrived on the day, by their last message or their import. The last day of a period
 * draws the rest of the quota from the whole period. Earlier days take a share of their conversations that is the same
 * on each of them, so that all conversations of the period have the same chance: decision 276.
 */
export async function drawDay(db: Db, settings: QueueSettings, due: Due, zone: string): Promise<number> {
  const { kind } = settings
  const { day, periodStart, formerStart, nth, days } = due
  const seed = randomUUID()
  const isLast = nth === days
  const first = isLast ? periodStart : day
  const isByChecks = settings.mode === 'checks'
  const failedCount = sql`(select x.failed_count from qc_check_results x where x.conversation_id = c.qc_conversation_id)`
  // a sample is drawn by chance; by checks, chance decides between equals
  const mostFailed = isByChecks ? sql`${failedCount} desc, ` : sql``
  const hasFailed = isByChecks ? sql`and ${failedCount} > 0` : sql``
  // what arrives again on a later day had its chance on the first
  const isNew =
    isLast || isByChecks ? sql`` : sql`and not exists (select from seen where seen.id = c.qc_conversation_id)`
  const arrived = sql`greatest(c.last_at, c.created_at)`
  const allowed = isLast ? sql`quota` : isByChecks ? ofDays(due, settings) : ofShare(due, settings)
  const [made] = await rows<{ queued: number }>(
    db,
    sql`with draw as (
        insert into qc_draws (kind, day, period_start, seed) values (${kind}, ${day}, ${periodStart}, ${seed}) returning qc_draw_id as id
      ), before as (
        select a.agent_id, a.pool_ids, a.drawn_ids from qc_drawn_agents a join qc_draws d on d.qc_draw_id = a.draw_id
        where d.kind = ${kind} and d.period_start = ${periodStart}::date
      ), seen as (select distinct unnest(pool_ids) as id from before
      ), pool as (
        select c.agent_id, c.qc_conversation_id as id,
          row_number() over (partition by c.agent_id order by ${mostFailed}md5(${seed} || ':' || c.qc_conversation_id)) as nth
        ${candidates(settings)} ${hasFailed} and c.last_at >= ${beginOf(formerStart, zone)} and c.last_at < ${endOf(day, zone)}
          and ${arrived} >= ${beginOf(first, zone)} and ${arrived} < ${endOf(day, zone)} ${isNew}
      ), pools as (select agent_id, array_agg(id order by id) as ids from pool group by agent_id
      ), quotas as (
        select *, ${quotaOf(settings, sql`pools.agent_id`)}::int as quota,
          (select coalesce(sum(cardinality(b.pool_ids)), 0) from before b where b.agent_id = pools.agent_id) as seen,
          (select coalesce(sum(cardinality(b.drawn_ids)), 0) from before b where b.agent_id = pools.agent_id) as drawn
        from pools
      ), dues as (select *, greatest(0, ${allowed} - drawn)::int as due from quotas
      ), queued as (
        update qc_conversations set status = 'queued', queued_at = now(), queued_by = ${isByChecks ? 'checks' : 'sample'}, version = version + 1, updated_at = now()
        where qc_conversation_id in (select id from pool join dues using (agent_id) where nth <= due) and status = 'imported'
        returning qc_conversation_id as id, agent_id
      ), noted as (
        insert into qc_drawn_agents (draw_id, agent_id, quota, due, pool_ids, drawn_ids)
        select draw.id, agent_id, quota, due, ids, array(select q.id from queued q where q.agent_id = dues.agent_id order by 1) from dues, draw
      ) select count(*)::int as queued from queued`,
  )
  return made?.queued ?? 0
}

/** A number from 0 to 1 of each agent and period. */
const startOf = ({ periodStart }: Due, { kind }: QueueSettings) =>
  sql`('x' || substr(md5(${`${kind} ${periodStart} `} || quotas.agent_id), 1, 8))::bit(32)::bigint / 4294967296.0`

/** What falls due by the end of the day if the quota is spread over the days of the period. */
const ofDays = (due: Due, settings: QueueSettings) =>
  sql`least(quota, ceil(${due.nth}::numeric * quota / ${due.days}::int - ${startOf(due, settings)}))`

/**
 * Number of conversations to draw by the end of the day if each one until then has the same chance. The chance is so small that
 * a quarter of the quota, and one at least, is left for the last day, even if the period is busier than the last ones.
 * An agent without a former period has everything on the last day.
 */
function ofShare(due: Due, settings: QueueSettings): SQL {
  const early = sql`(quota - greatest(1, ceil(quota / 4.0)))`
  const share = sql`${early} * (seen + cardinality(ids)) / (${BUSIER}::numeric * ${mostBefore(due, settings)})`
  return sql`least(${early}, coalesce(floor(${share} + ${startOf(due, settings)}), 0))`
}

/** Conversations of an agent in the busiest of the last periods: what each last day drew from, and what was drawn before. */
const mostBefore = ({ periodStart }: Due, { kind, period }: QueueSettings) => {
  const one = sql.raw(`interval '1 ${period}'`)
  return sql`(select max(n) from (
    select sum(cardinality(case when d.day = (d.period_start + ${one})::date - 1 then a.pool_ids else a.drawn_ids end)) as n
    from qc_drawn_agents a join qc_draws d on d.qc_draw_id = a.draw_id
    where a.agent_id = quotas.agent_id and d.kind = ${kind} and d.period_start < ${periodStart}::date
      and d.period_start >= (${periodStart}::date - ${FORMER} * ${one})::date
    group by d.period_start having bool_or(d.day = (d.period_start + ${one})::date - 1)) as former)`
}
