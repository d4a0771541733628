import type { Ratings } from '@innkeeper/contract/quality/qc/statistics'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import { dayOf } from '../../../planning/calendar/dayBounds.ts'
import { withinReach } from '../reach.ts'
import type { Reading } from '../rights.ts'
import { type Asked, inZone, spanOf } from './asked.ts'

type Filters = Pick<Asked, 'from' | 'to' | 'kind' | 'agent' | 'department'>

const figures = sql`count(c.csat)::int as rated, avg(c.csat)::float8 as csat,
  count(*) filter (where c.csat is not null and c.score is not null)::int as both,
  (avg(c.csat) filter (where c.score is not null))::float8 as "csatOfBoth",
  (avg(c.score) filter (where c.csat is not null))::float8 as "scoreOfBoth"`

/** Ratings beside scores, over the conversations whose last message is in the time span. */
export async function ratings(reading: Reading, filters: Filters): Promise<Ratings> {
  const { db } = reading
  const asked = await inZone(db, filters)
  const day = dayOf(sql`c.last_at`, asked.zone)
  const where = [...matching(asked), ...(await withinReach(reading, 'c'))]
  const counts = sql`(c.csat is not null or c.score is not null)`
  const [total] = await rows<Ratings>(
    db,
    sql`select ${figures} from qc_conversations c where ${all([...where, counts])}`,
  )
  const periods = await rows<Ratings['periods'][number]>(
    db,
    sql`select to_char(date_trunc('week', ${day}::timestamp), 'YYYY-MM-DD') as period, ${figures}
      from qc_conversations c where ${all([...where, counts])} group by 1 order by 1`,
  )
  const teams = await rows<Ratings['teams'][number]>(
    db,
    sql`select case when t.dossier_team_id is not null then json_build_object('id', t.dossier_team_id, 'name', t.name) end as team,
        count(c.score)::int as n, avg(c.score)::float8 as mean, ${figures}
      from qc_conversations c left join dossier_memberships m on m.user_id = c.agent_id and not m.is_additional
          and m.deleted_at is null and m.starts_on <= ${day} and (m.ends_on is null or m.ends_on >= ${day})
        left join dossier_teams t on t.dossier_team_id = m.team_id
      where ${all([...where, counts])} group by t.dossier_team_id, t.name order by count(c.score) desc, lower(t.name)`,
  )
  return { ...total!, periods, teams } // one row of aggregates
}

function matching(asked: Filters & { zone: string }): SQL[] {
  const { begins, ends } = spanOf(asked)
  const where = [sql`true`]
  if (asked.kind) where.push(sql`c.kind = ${asked.kind}`)
  if (asked.agent) where.push(sql`c.agent_id = any(${sql.param(asked.agent)}::int[])`)
  if (asked.department) where.push(sql`c.department_id = any(${sql.param(asked.department)}::int[])`)
  if (begins) where.push(sql`c.last_at >= ${begins}`)
  if (ends) where.push(sql`c.last_at < ${ends}`)
  return where
}
