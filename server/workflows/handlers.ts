import { holds } from '@innkeeper/contract/access'
import type { workflows as contract } from '@innkeeper/contract/workflows'
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { isOfVisibleZone } from '../dns/visible.ts'
import type { Staff } from '../kit/access/sessions.ts'
import type { Db } from '../kit/db/db.ts'
import { pageKeys } from '../kit/db/page.ts'
import type { Handlers } from '../kit/http/api.ts'
import { denied, notFound } from '../kit/http/errors.ts'
import { act } from '../kit/work/interventions.ts'
import { actionOutputs, actions, workflows } from '../kit/work/tables.ts'
import { isWaiting, progressOf, readWorkflow, workflowsById } from './read.ts'

/**
 * The permission to see workflows of a subject, and the one to act on them in addition to the permission of the call.
 */
interface Subject {
  see: string
  act?: string
  /** Limits the visible workflows; absent: all of this subject type. */
  rows?(staff: Staff): SQL
}
const subjects: Record<string, Subject> = {
  website: { see: 'website:website:read' },
  server: { see: 'server:server:read', act: 'server:server:update' },
  plan: { see: 'system-user:plan:read', act: 'system-user:plan:update' },
  'system-user': { see: 'system-user:user:read', act: 'system-user:user:update' },
  group: { see: 'website:group:read', act: 'website:group:update' },
  zone: { see: 'dns:zone:read', act: 'dns:record:update', rows: isOfVisibleZone },
  'ip-set': { see: 'ipset:set:read', act: 'ipset:set:update' },
  vhost: { see: 'vhost:vhost:read', act: 'vhost:vhost:resync' },
  certificate: { see: 'ssl:cert:read', act: 'ssl:cert:delete' },
  // these workflows name all zones, also those that the caller may not see
  dns: { see: 'dns:zone:sync', rows: ({ id, isAdmin }) => (isAdmin ? sql`true` : eq(workflows.startedById, id)) },
}

const visibleTypes = (staff: Staff) => Object.keys(subjects).filter((type) => holds(staff, subjects[type]!.see))

/** SQL: the workflows of these types that the caller may see. */
const visibleRows = (staff: Staff, types: string[]): SQL =>
  sql`(${sql.join(
    types.map((type) => {
      const { rows } = subjects[type]!
      return rows
        ? sql`(${workflows.subjectType} = ${type} and ${rows(staff)})`
        : sql`${workflows.subjectType} = ${type}`
    }),
    sql` or `,
  )})`

/** The subject type of a workflow; 404 also when the caller may not see the workflow. */
async function visibleType(db: Db, staff: Staff, id: number): Promise<string> {
  const types = visibleTypes(staff)
  if (!types.length) throw notFound('workflow', id)
  const [row] = await db
    .select({ type: workflows.subjectType })
    .from(workflows)
    .where(and(eq(workflows.id, id), visibleRows(staff, types)))
  if (!row) throw notFound('workflow', id)
  return row.type
}

export const workflowsHandlers: Handlers<typeof contract> = {
  async list(input, { db, staff }) {
    const types = visibleTypes(staff)
    if (!types.length) return { items: [], total: 0 }
    const where: SQL[] = [visibleRows(staff, types)]
    if (input.status) where.push(ofStatus(input.status))
    if (input.subjectType) where.push(eq(workflows.subjectType, input.subjectType))
    if (input.subjectId) where.push(eq(workflows.subjectId, input.subjectId))
    if (input.mine) where.push(eq(workflows.startedById, staff.id))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${workflows}`,
      where,
      key: workflows.id,
      order: { column: workflows.startedAt, type: 'instant', direction: 'DESC' },
    })
    return { items: await workflowsById(db, ids), ...page }
  },

  async one({ id }, { db, staff }) {
    await visibleType(db, staff, id)
    return readWorkflow(db, id)
  },

  async output({ id, actionId, attempt, after }, { db, staff }) {
    await visibleType(db, staff, id)
    const [action] = await db
      .select({ id: actions.id, attempt: actions.attempt })
      .from(actions)
      .where(and(eq(actions.id, actionId), eq(actions.workflowId, id)))
    if (!action) throw notFound('action', actionId)
    const items = await db
      .select()
      .from(actionOutputs)
      .where(
        and(
          eq(actionOutputs.actionId, actionId),
          eq(actionOutputs.attempt, attempt ?? action.attempt),
          gt(actionOutputs.seq, after ?? -1),
        ),
      )
      .orderBy(actionOutputs.seq)
    return { items }
  },

  async update({ id, action, ...ask }, { db, staff, audit }) {
    const { act: needed } = subjects[await visibleType(db, staff, id)] ?? {}
    if (needed && !holds(staff, needed)) throw denied([needed])
    audit.workflow(id)
    audit.before(progressOf(await readWorkflow(db, id)))
    await act(db, { ...ask, workflowId: id, actionId: action, by: staff.name })
    const now = await readWorkflow(db, id)
    audit.of(now.subjectType, now.subjectId)
    audit.after({ ...progressOf(now), ...(ask.reason && { reason: ask.reason }) })
    return now
  },
}

/** SQL for a status filter. `waiting` is partly derived from `running`; each row matches one of the two. */
function ofStatus(wanted: (typeof workflows.$inferSelect)['status'][]): SQL {
  const stored = wanted.filter((status) => status !== 'running' && status !== 'waiting')
  const conditions: SQL[] = stored.length ? [inArray(workflows.status, stored)] : []
  if (wanted.includes('running') && wanted.includes('waiting'))
    conditions.push(inArray(workflows.status, ['running', 'waiting']))
  else if (wanted.includes('running')) conditions.push(sql`(${workflows.status} = 'running' and not ${isWaiting})`)
  else if (wanted.includes('waiting')) conditions.push(isWaiting)
  return sql`(${sql.join(conditions, sql` or `)})`
}
