import type { AuditStatus, ScrumTrend } from '@innkeeper/contract/desk/scrums/shapes'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, type Listing, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'
import { visibleTo } from './reach.ts'
import { percentOf, readAudits } from './view.ts'

type Asked = Listing & {
  sort?: keyof typeof sorts | undefined
  search?: string | undefined
  userId?: number[] | undefined
  auditorId?: number[] | undefined
  status?: AuditStatus[] | undefined
  from?: string | undefined
  to?: string | undefined
}

const sorts = {
  periodEnd: { column: sql`a.period_end`, type: 'day', direction: 'DESC' },
  createdAt: { column: sql`a.created_at`, type: 'instant', direction: 'DESC' },
  total: { column: sql`a.total`, type: 'int', direction: 'DESC' },
} as const

const among = (column: SQL, ids: number[]) => sql`${column} = any(${sql.param(ids)}::int[])`

export async function pageOfAudits(db: Db, staff: Staff, input: Asked) {
  const where: SQL[] = [visibleTo(staff)]
  if (input.userId) where.push(among(sql`a.user_id`, input.userId))
  if (input.auditorId) where.push(among(sql`a.auditor_id`, input.auditorId))
  if (input.status) where.push(sql`a.status = any(${sql.param(input.status)}::text[])`)
  if (input.from) where.push(sql`a.period_end >= ${input.from}::date`)
  if (input.to) where.push(sql`a.period_start <= ${input.to}::date`)
  if (input.search) where.push(contains(sql`a.name`, input.search))
  const order = sorts[input.sort ?? 'periodEnd']
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`scrum_audits a`,
    where,
    key: sql`a.scrum_audit_id`,
    order,
  })
  return { items: await readAudits(db, staff, ids), ...page }
}

/** A person, even if the account was deleted, because audits stay. 404 if there is none. */
export async function findUser(db: Db, userId: number): Promise<ScrumTrend['user']> {
  const [user] = await rows<ScrumTrend['user']>(
    db,
    sql`select user_id as id, ${personName()} as name from users where user_id = ${userId}`,
  )
  if (!user) throw notFound('user', userId)
  return user
}

/** Maximum number of audits in a trend. */
const SHOWN = 24

/** Totals and component scores in percent of the highest score, so that audits with different scales are comparable. */
export async function trendOf(db: Db, staff: Staff, userId: number): Promise<ScrumTrend> {
  const user = await findUser(db, userId)
  const audits = await rows<{ id: number; name: string; periodEnd: string; total: number; scale: number }>(
    db,
    sql`select * from (select a.scrum_audit_id as id, a.name, a.period_end::text as "periodEnd", a.total, a.scale from scrum_audits a
        where a.user_id = ${userId} and a.status <> 'draft' and ${visibleTo(staff)}
        order by a.period_end desc, a.scrum_audit_id desc limit ${SHOWN}) latest order by "periodEnd", id`,
  )
  const items = await rows<{ auditId: number; id: number; name: string; score: number | null }>(
    db,
    sql`select i.scrum_audit_id as "auditId", i.scrum_component_id as id, c.name, i.score
      from scrum_audit_items i join scrum_components c on c.scrum_component_id = i.scrum_component_id
      where i.scrum_audit_id = any(${sql.param(audits.map(({ id }) => id))}::int[])
      order by c.weight desc, i.scrum_component_id`,
  )
  const components = [...Map.groupBy(items, ({ id }) => id)].map(([id, scored]) => {
    const scores = new Map(scored.map(({ auditId, score }) => [auditId, score]))
    const values = audits.map((audit) => {
      const score = scores.get(audit.id) ?? null
      return score === null ? null : Math.round((1000 * score) / audit.scale) / 10
    })
    return { id, name: scored[0]?.name ?? '', values }
  })
  return { user, audits: audits.map(({ scale: _, ...one }) => ({ ...one, total: percentOf(one.total) })), components }
}
