import type { Overall } from '@innkeeper/contract/quality/qc/statistics'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import { type Asked, spanOf } from './asked.ts'

type Agreement = NonNullable<Overall['reviewers'][number]['agreement']>

/**
 * How far people were from the others in calibrations whose scores are revealed: the mean distance of their grades from
 * the mean of the others for the same score type of the same conversation.
 */
export async function agreementOf(db: Db, asked: Asked, people: readonly number[]): Promise<Map<number, Agreement>> {
  const { begins, ends } = spanOf(asked)
  const where = [
    sql`p.submitted_at is not null`,
    sql`(c.closed_at is not null or not exists (select from qc_calibration_reviews o
      where o.calibration_id = c.qc_calibration_id and o.submitted_at is null))`,
    sql`jsonb_typeof(p.scores) = 'array'`,
  ]
  if (asked.kind) where.push(sql`c.kind = ${asked.kind}`)
  if (begins) where.push(sql`p.submitted_at >= ${begins}`)
  if (ends) where.push(sql`p.submitted_at < ${ends}`)
  const found = await rows<Agreement & { id: number }>(
    db,
    sql`with given as (
        select p.calibration_id, p.reviewer_id, (s ->> 'typeId')::int as type, (s ->> 'value')::float8 as value
        from qc_calibration_reviews p join qc_calibrations c on c.qc_calibration_id = p.calibration_id
          cross join lateral jsonb_array_elements(p.scores) s
        where ${all(where)} and s ->> 'value' is not null),
      groups as (select calibration_id, type, sum(value) as sum, count(*) as n from given group by 1, 2 having count(*) > 1)
      select reviewer_id as id, count(*)::int as n, avg(abs(value - (sum - value) / (groups.n - 1))) as distance
      from given join groups using (calibration_id, type)
      where reviewer_id = any(${sql.param([...people])}::int[]) group by 1`,
  )
  return new Map(found.map(({ id, ...agreement }) => [id, agreement]))
}
