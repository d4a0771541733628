import { holds } from '@innkeeper/contract/kit/access'
import type { workflows as contract } from '@innkeeper/contract/machines/workflows'
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { denied, notFound } from '../../kit/http/errors.ts'
import { act } from '../../kit/work/interventions.ts'
import { actionOutputs, actions, workflows } from '../../kit/work/tables.ts'
import { visibleWorkflows } from '../../kit/work/visible.ts'
import { isWaiting, progressOf, readWorkflow, workflowsById } from './read.ts'

/** The subject type of a workflow; 404 also when the caller may not see the workflow. */
async function visibleType({ app, db, staff }: Context, id: number): Promise<string> {
  const visible = visibleWorkflows(app.subjects, staff)
  if (!visible) throw notFound('workflow', id)
  const [row] = await db
    .select({ type: workflows.subjectType })
    .from(workflows)
    .where(and(eq(workflows.id, id), visible))
  if (!row) throw notFound('workflow', id)
  return row.type
}

export const workflowsHandlers: Handlers<typeof contract> = {
  async list(input, { db, staff, app }) {
    const visible = visibleWorkflows(app.subjects, staff)
    if (!visible) return { items: [], total: 0 }
    const where: SQL[] = [visible]
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

  async one({ id }, context) {
    await visibleType(context, id)
    return readWorkflow(context.db, id)
  },

  async output({ id, actionId, attempt, after }, context) {
    const { db } = context
    await visibleType(context, id)
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

  async update({ id, action, ...ask }, context) {
    const { db, app, staff, audit } = context
    const { act: needed } = app.subjects[await visibleType(context, id)] ?? {}
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
