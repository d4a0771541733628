import type { Action, Workflow, WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { sinceText } from '../../kit/app/sinceText.ts'
import { byIds, rowsByIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { noWayBack } from '../../kit/work/action.ts'
import { actions, workflows } from '../../kit/work/tables.ts'
import { titleOf, undoLoses } from '../../kit/work/workflow.ts'
import { lacksPowerdns, needsPowerdns } from '../servers/enrolment/provision.ts'
import { servers } from '../servers/tables.ts'

/** Seconds without a heartbeat after which a workflow is shown as waiting for the server. */
const SILENT = sql.raw('15')

/** SQL: why an action `a` in the status `ready` cannot run on its server `s` with the state `t`. */
const obstacle = sql`case when s.status = 'down' then 'down'
  when s.credential_hash is null or s.credential_revoked_at is not null then 'no-agent'
  when t.last_seen_at is null or t.last_seen_at < now() - make_interval(secs => ${SILENT}) then 'silent'
  when a.name in ${needsPowerdns} and ${lacksPowerdns(sql`a.server_id`)} then 'set-up' end`
const waiting = sql`from actions a join servers s on s.server_id = a.server_id
  left join server_states t on t.server_id = s.server_id
  where a.workflow_id = workflows.workflow_id and a.status in ('ready', 'unknown') and ${obstacle} is not null`

/**
 * SQL: whether a workflow is paused, or running but delayed by its server. The second state is derived and not stored.
 */
export const isWaiting: SQL = sql`(workflows.status = 'waiting' or (workflows.status = 'running' and exists (select ${waiting})))`

interface Progress {
  id: number
  done: number
  count: number
  current: string | null
  obstacle: 'down' | 'no-agent' | 'silent' | 'set-up' | null
  server: string | null
  seen: string | null
  /** For a workflow that waits in line: the workflow that holds its locks, and its place. */
  before: { kind: string; name: string; holder: string; since: string; status: string } | null
  place: number
}

const selectWorkflows = byIds((db, isWanted) => db.select().from(workflows).where(isWanted(workflows.id)))
const selectProgress = rowsByIds<Progress>(
  (isWanted) => sql`select workflows.workflow_id as id, counted.*, held.*,
        (select json_build_object('kind', w.kind, 'name', w.subject_name, 'holder', l.holder, 'since', w.started_at,
            'status', w.status)
          from resource_locks l join workflows w on w.workflow_id = l.workflow_id
          where l.resource = any(workflows.queued_for) order by w.workflow_id limit 1) as before,
        case when workflows.queued_for is null then 0 else (select count(*)::int from workflows q
          where q.queued_for is not null and q.ended_at is null and q.workflow_id <= workflows.workflow_id
            and q.queued_for && workflows.queued_for) end as place
      from workflows
      join lateral (select count(*)::int as count,
          count(*) filter (where status = 'skipped' or status = case when workflows.undo then 'undone' else 'done' end)::int as done,
          min(title) filter (where status in ('ready', 'running', 'failed', 'blocked', 'unknown')) as current
        from actions where workflow_id = workflows.workflow_id) counted on true
      left join lateral (select ${obstacle} as obstacle, s.name as server, t.last_seen_at as seen ${waiting}) held
        on workflows.status = 'running'
      where ${isWanted(sql`workflows.workflow_id`)}`,
)

/** Workflows in the form of the contract, in the order of `ids`; deleted ones are left out. */
export async function workflowsById(db: Db, ids: number[]): Promise<Workflow[]> {
  if (!ids.length) return []
  const found = await selectWorkflows(db, ids)
  const progress = await selectProgress(db, ids)
  const byId = new Map(progress.map((p) => [p.id, p]))
  return inOrder(
    ids,
    found.map(({ request: _, dismissedAt: __, dismissedBy: ___, pauseAt: ____, queuedFor, ...workflow }) => {
      const held = byId.get(workflow.id)
      const { done = 0, count = 0, current = null } = held ?? {}
      const paused = workflow.paused && workflow.status === 'waiting'
      const waitsFor = held?.obstacle
        ? reasonOf(held.obstacle, held.server ?? '', held.seen)
        : paused
          ? 'The workflow is paused'
          : queuedFor && workflow.endedAt === null
            ? lineOf(held)
            : null
      const status = waitsFor ? 'waiting' : workflow.status
      return { ...workflow, title: titleOf(workflow.kind), status, waitsFor, paused, done, count, current }
    }),
  )
}

/** Behind what a workflow waits in line, and its place there. */
function lineOf(held: Progress | undefined): string {
  if (!held?.before) return 'its turn comes at once'
  const { kind, name, holder, since, status } = held.before
  const stopped = status === 'failed' ? ', which stopped and waits for somebody' : ''
  const place = held.place > 1 ? `; it is number ${held.place} in the line` : ''
  return `“${titleOf(kind)}” of ${holder} for ${name}, since ${sinceText(since)}${stopped}${place}`
}

function reasonOf(what: NonNullable<Progress['obstacle']>, server: string, seen: string | null): string {
  if (what === 'down') return `${server} is set down`
  if (what === 'set-up') return `${server} is being set up`
  if (what === 'no-agent') return `${server} has no agent`
  return `${server} has not been heard from ${seen ? `since ${sinceText(seen)}` : 'yet'}`
}

/** Actions in the form of the contract, in the order of `ids`. */
export async function readActions(db: Db, ids: number[]): Promise<Action[]> {
  return inOrder(ids, (await selectActions(db, ids)).map(shown))
}

const withServer = (db: Db) =>
  db
    .select({ action: actions, serverName: servers.name, kind: workflows.kind })
    .from(actions)
    .innerJoin(workflows, eq(workflows.id, actions.workflowId))
    .leftJoin(servers, eq(servers.id, actions.serverId))
const selectActions = byIds((db, isWanted) => withServer(db).where(isWanted(actions.id)))
const selectOfWorkflows = byIds((db, isWanted) =>
  withServer(db).where(isWanted(actions.workflowId)).orderBy(asc(actions.workflowId), asc(actions.position)),
)

type Row = Awaited<ReturnType<typeof selectActions>>[number]

const shown = ({ action: { leaseUntil: _, resourceName: __, ...action }, serverName, kind }: Row): Action => ({
  ...action,
  output: action.output ?? null,
  serverName,
  undoLoses: undoLoses(kind),
})

/** One workflow with its actions; throws 404 if it does not exist. */
export async function readWorkflow(db: Db, id: number): Promise<WorkflowWithActions> {
  const [workflow] = await withActions(db, [id])
  if (!workflow) throw notFound('workflow', id)
  return workflow
}

/** The workflows of one subject, newest first. */
export async function readWorkflows(
  db: Db,
  of: { subjectType: string; subjectId: number; kinds: string[] },
): Promise<WorkflowWithActions[]> {
  const found = await db
    .select({ id: workflows.id })
    .from(workflows)
    .where(
      and(
        eq(workflows.subjectType, of.subjectType),
        eq(workflows.subjectId, of.subjectId),
        inArray(workflows.kind, of.kinds),
      ),
    )
    .orderBy(sql`${workflows.id} desc`)
    .limit(200)
  return withActions(
    db,
    found.map((row) => row.id),
  )
}

/** Workflows with their actions, in the order of `ids`. */
export async function withActions(db: Db, ids: number[]): Promise<WorkflowWithActions[]> {
  const found = await workflowsById(db, ids)
  const theirs = await selectOfWorkflows(db, ids)
  const byWorkflow = Map.groupBy(theirs.map(shown), (action) => action.workflowId)
  return found.map((workflow) => {
    const its = byWorkflow.get(workflow.id) ?? []
    const why = workflow.endedAt === null ? noWayBack(its) : undefined
    return { ...workflow, actions: its, ...(why && { noWayBack: why }) }
  })
}

/** Progress of a workflow for the action log: its status, and the status of each action by title. */
export const progressOf = ({ status, actions: all }: WorkflowWithActions): Record<string, string> => ({
  status,
  ...Object.fromEntries(all.map((action) => [action.title, action.status])),
})
