import type { Kind, Population } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'

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

/** Whether a bound is a day rather than an instant. A day as `to` is included completely. */
const isDay = (text: string) => text.length === 10

/** Begin (included) and end (excluded) of the time span, as SQL; undefined if open. */
export const spanOf = ({ from, to }: Asked): { begins?: SQL; ends?: SQL } => ({
  ...(from && { begins: sql`${from}::timestamptz` }),
  ...(to && { ends: isDay(to) ? sql`(${to}::date + 1)::timestamptz` : sql`(${to}::timestamptz + interval '1 ms')` }),
})

/** Conditions over `qc_reviews r`; without `state`, for reviews that are not deleted. */
export function matching(asked: Asked, state = sql`r.deleted_at is null`): SQL[] {
  const { agent, reviewer, kind, department, population } = asked
  const { begins, ends } = spanOf(asked)
  const where = [state]
  if (kind) where.push(sql`r.kind = ${kind}`)
  if (department) where.push(sql`r.department_id = any(${sql.param(department)}::int[])`)
  if (population) where.push(sql`r.population = any(${sql.param(population)}::text[])`)
  if (begins) where.push(sql`r.submitted_at >= ${begins}`)
  if (ends) where.push(sql`r.submitted_at < ${ends}`)
  if (agent) where.push(sql`r.agent_id = any(${sql.param(agent)}::int[])`)
  if (reviewer) where.push(sql`r.reviewer_id = any(${sql.param(reviewer)}::int[])`)
  return where
}
