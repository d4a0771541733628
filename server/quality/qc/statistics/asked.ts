import type { Kind, Population } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { beginOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { ofReach } from '../reach.ts'
import type { Reading } from '../rights.ts'

export interface Asked {
  from?: string | undefined
  to?: string | undefined
  kind?: Kind | undefined
  agent?: number[] | undefined
  department?: number[] | undefined
  reviewer?: number[] | undefined
  scoreType?: number[] | undefined
  population?: Population[] | undefined
  /** Conditions over `qc_reviews r` of what the reader reaches. Days are not read packed then. */
  reach?: SQL[]
  /** Time zone in which days and weeks begin. */
  zone: string
}

/** Filters as people send them, with the time zone of the organisation. */
export const inZone = async <T extends object>(db: Db, filters: T): Promise<T & { zone: string }> => ({
  ...filters,
  zone: await timeZoneOf(db),
})

/** Like `inZone`, for a reader who may be limited to departments and teams. */
export async function forReader<T extends object>(reading: Reading, filters: T) {
  const reach = await ofReach(reading, sql`r.conversation_id`)
  return { ...(await inZone(reading.db, filters)), ...(reach.length > 0 && { reach }) }
}

/** Whether a bound is a day rather than an instant. A day as `to` is included completely. */
const isDay = (text: string) => text.length === 10

/** Begin (included) and end (excluded) of the time span, as SQL; undefined if open. */
export const spanOf = ({ from, to, zone }: Pick<Asked, 'from' | 'to' | 'zone'>): { begins?: SQL; ends?: SQL } => ({
  ...(from && { begins: isDay(from) ? beginOf(from, zone) : sql`${from}::timestamptz` }),
  ...(to && { ends: isDay(to) ? endOf(to, zone) : sql`(${to}::timestamptz + interval '1 ms')` }),
})

/** Conditions over `qc_reviews r`; without `state`, for reviews that are not deleted. */
export function matching(asked: Asked, state = sql`r.deleted_at is null`): SQL[] {
  const { agent, reviewer, kind, department, population } = asked
  const { begins, ends } = spanOf(asked)
  const where = [state, ...(asked.reach ?? [])]
  if (kind) where.push(sql`r.kind = ${kind}`)
  if (department) where.push(sql`r.department_id = any(${sql.param(department)}::int[])`)
  if (population) where.push(sql`r.population = any(${sql.param(population)}::text[])`)
  if (begins) where.push(sql`r.submitted_at >= ${begins}`)
  if (ends) where.push(sql`r.submitted_at < ${ends}`)
  if (agent) where.push(sql`r.agent_id = any(${sql.param(agent)}::int[])`)
  if (reviewer) where.push(sql`r.reviewer_id = any(${sql.param(reviewer)}::int[])`)
  return where
}
