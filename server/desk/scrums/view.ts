import type { AuditAction, AuditItem, DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personNameText } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'
import { statesOfTickets } from '../trackers/open.ts'
import { visibleTo } from './reach.ts'

type Moment = string | Date
type Row = Omit<
  DevAudit,
  | ('createdAt' | 'updatedAt' | 'submittedAt' | 'acknowledgedAt' | 'total')
  | ('items' | 'actions' | 'mayEdit' | 'mayAcknowledge')
> & { createdAt: Moment; updatedAt: Moment; submittedAt: Moment | null; acknowledgedAt: Moment | null; total: number }

const person = (id: string) =>
  sql.raw(
    `(select json_build_object('id', p.user_id, 'name', ${personNameText('p')}) from users p where p.user_id = ${id})`,
  )

const select = rowsByIds<Row>(
  (
    isWanted,
  ) => sql`select a.scrum_audit_id as id, a.version, a.created_at as "createdAt", a.updated_at as "updatedAt", a.name,
      ${person('a.user_id')} as user, d.name as "departmentName", ${person('a.auditor_id')} as auditor,
      a.period_start::text as "periodStart", a.period_end::text as "periodEnd", a.status, a.scale, a.summary, a.total,
      a.submitted_at as "submittedAt", a.acknowledged_at as "acknowledgedAt", a.reply
    from scrum_audits a join users u on u.user_id = a.user_id
    left join departments d on d.department_id = u.department_id and d.deleted_at is null
    where ${isWanted(sql`a.scrum_audit_id`)} and a.deleted_at is null`,
)

// a draft shows present names and weights, a submitted audit those of its submission
const selectItems = rowsByIds<AuditItem & { auditId: number }>(
  (isWanted) => sql`select i.scrum_audit_id as "auditId", i.scrum_component_id as "componentId",
      case when a.status = 'draft' then c.name else i.name end as name,
      case when a.status = 'draft' then c.weight else i.weight end as weight, i.score, i.comment
    from scrum_audit_items i join scrum_audits a on a.scrum_audit_id = i.scrum_audit_id
    join scrum_components c on c.scrum_component_id = i.scrum_component_id
    where ${isWanted(sql`i.scrum_audit_id`)} order by i.scrum_audit_id, i.scrum_audit_item_id`,
)

type ActionRow = Omit<AuditAction, 'createdAt' | 'ticketKey' | 'state' | 'isDone'> & {
  auditId: number
  createdAt: Moment
}

const selectActions = rowsByIds<ActionRow>(
  (isWanted) => sql`select n.scrum_audit_id as "auditId", n.scrum_action_id as id, n.title,
      n.scrum_component_id as "componentId", c.name as "componentName", n.ticket_id as "ticketId", n.created_at as "createdAt"
    from scrum_actions n left join scrum_components c on c.scrum_component_id = n.scrum_component_id
    where ${isWanted(sql`n.scrum_audit_id`)} order by n.scrum_action_id`,
)

export const percentOf = (total: number): number | null => (total < 0 ? null : total / 10)

/** Audits in the order of `ids`. The caller has checked that they are visible. */
export async function readAudits(db: Db, staff: Staff, ids: number[]): Promise<DevAudit[]> {
  const found = inOrder(ids, await select(db, ids))
  const items = Map.groupBy(await selectItems(db, ids), ({ auditId }) => auditId)
  const actions = Map.groupBy(await readActions(db, ids), ({ auditId }) => auditId)
  return found.map((row) => ({
    ...row,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    submittedAt: row.submittedAt && isoOf(row.submittedAt),
    acknowledgedAt: row.acknowledgedAt && isoOf(row.acknowledgedAt),
    total: percentOf(row.total),
    items: (items.get(row.id) ?? []).map(({ auditId: _, ...item }) => item),
    actions: (actions.get(row.id) ?? []).map(({ auditId: _, ...one }) => one),
    mayEdit: mayEdit(staff, row),
    mayAcknowledge: row.status === 'submitted' && row.user.id === staff.id,
  }))
}

/** The agreed actions with the present state of their tickets. */
async function readActions(db: Db, ids: number[]): Promise<(AuditAction & { auditId: number })[]> {
  const found = await selectActions(db, ids)
  const tickets = await statesOfTickets(
    db,
    found.map(({ ticketId }) => ticketId),
  )
  return found.map((row) => {
    const ticket = tickets.find(({ id }) => id === row.ticketId)
    const isDone = ticket?.group === 'completed' || ticket?.group === 'cancelled'
    return {
      ...row,
      createdAt: isoOf(row.createdAt),
      ...{ ticketKey: ticket?.key ?? null, state: ticket?.status ?? null, isDone },
    }
  })
}

/**
 * True if the caller may change the audit: the auditor, or an administrator who is not audited, until it is
 * acknowledged.
 */
const mayEdit = (staff: Staff, { status, auditor, user }: Pick<DevAudit, 'status' | 'auditor' | 'user'>): boolean =>
  status !== 'acknowledged' &&
  user.id !== staff.id &&
  (auditor.id === staff.id || staff.isAdmin) &&
  holds(staff, 'scrums:audit:update')

/** What the action log keeps of an audit: its readers see that somebody was audited, and not how. */
export const logged = ({ id, name, user, auditor, periodStart, periodEnd, status, items, actions }: DevAudit) => ({
  ...{ id, name, user: user.name, auditor: auditor.name, periodStart, periodEnd, status },
  ...{ scored: items.filter(({ score }) => score !== null).length, actions: actions.length },
})

/** One audit; 404 also for one that the caller may not see. */
export async function findAudit(db: Db, staff: Staff, id: number, lock = false): Promise<DevAudit> {
  const [visible] = await rows(
    db,
    sql`select from scrum_audits a where a.scrum_audit_id = ${id} and ${visibleTo(staff)} ${lock ? sql`for update` : sql``}`,
  )
  const [audit] = visible ? await readAudits(db, staff, [id]) : []
  if (!audit) throw notFound('audit', id)
  return audit
}
