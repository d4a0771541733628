import type { ActionStatus } from '@innkeeper/contract/machines/workflows'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { visibleWorkflows } from '../../../kit/work/visible.ts'
import { insertItem } from '../items/insert.ts'
import { trackerLinks } from '../links/tables.ts'

/** Number of output lines that the bug quotes: the last ones. */
const LINES = 200

/** How a stopped action ended, as a predicate. */
const endings: { [status in ActionStatus]?: string } = {
  failed: 'failed',
  blocked: 'was blocked',
  unknown: 'ended with an unknown result',
}

interface Failed {
  workflowId: number
  title: string
  name: string
  reason: string | null
  attempt: number
  status: ActionStatus
  task: 'run' | 'undo'
  serverId: number | null
  subjectType: string
  subjectId: number
  subjectName: string
  kind: string
}

/**
 * Reports a bug from a failed action. The description contains the reason and the last lines of the output; workflow,
 * server and website are linked. 404 for an action whose workflow the caller may not see, 409 for one that has not stopped.
 */
export async function fromAction(
  context: Context,
  { actionId, title }: { actionId: number; title?: string | undefined },
) {
  const { db, staff } = context
  const action = await findAction(context, actionId)
  const ending = endings[action.status]
  if (!ending) throw conflict(`The action ${action.title} is ${action.status}: only a stopped action can be reported`)
  const lines = await rows<{ text: string }>(
    db,
    sql`select o.text from action_outputs o where o.action_id = ${actionId} and o.attempt = ${action.attempt} order by o.seq desc limit ${LINES}`,
  )
  const output = lines
    .reverse()
    .map(({ text }) => text)
    .join('\n')
  const id = await insertItem(db, staff, 'bug', {
    title: title ?? `${action.title} ${ending}: ${action.subjectName}`.slice(0, 200),
    description: [
      `The action **${action.title}** (\`${action.name}\`) of ${action.subjectName} ${ending}${action.task === 'undo' ? ' while it was undone,' : ''} in workflow ${action.workflowId}, attempt ${action.attempt}.`,
      ...(action.reason ? [`Reason: ${action.reason}`] : []),
      ...(output ? [`Output:\n\`\`\`\n${output.slice(-40_000).replaceAll('```', "'''")}\n\`\`\``] : []),
    ].join('\n\n'),
  })
  const links = [
    { kind: 'workflow' as const, targetId: action.workflowId },
    ...(action.serverId ? [{ kind: 'server' as const, targetId: action.serverId }] : []),
    ...(action.subjectType === 'website' ? [{ kind: 'website' as const, targetId: action.subjectId }] : []),
  ]
  await db.insert(trackerLinks).values(links.map((link) => ({ ...link, itemId: id, createdBy: staff.id })))
  return id
}

/** The action, if the caller may see its workflow by the rules of the list of workflows. */
async function findAction({ db, staff, app }: Context, id: number): Promise<Failed> {
  const visible = visibleWorkflows(app.subjects, staff)
  if (!visible) throw notFound('action', id)
  const [found] = await rows<Failed>(
    db,
    sql`select ${workflows.id} as "workflowId", a.title, a.name, a.reason, a.attempt, a.status, a.task, a.server_id as "serverId",
        ${workflows.subjectType} as "subjectType", ${workflows.subjectId} as "subjectId", ${workflows.subjectName} as "subjectName", ${workflows.kind} as kind
      from actions a join ${workflows} on ${workflows.id} = a.workflow_id
      where a.action_id = ${id} and ${visible}`,
  )
  if (!found) throw notFound('action', id)
  return found
}
