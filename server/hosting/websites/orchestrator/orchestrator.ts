import { type websites as contract, type Resource, resourceTitle } from '@innkeeper/contract/hosting/websites'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { Action } from '@innkeeper/contract/machines/workflows'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all, inOrder, nameLike, pageKeys } from '../../../kit/db/page.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { readActions } from '../../../machines/workflows/read.ts'

/**
 * Resources of a website on its servers, each with its latest action. Leaves out removed resources, finished moves, and
 * resources on the old server of a move once that is retired.
 */
export async function readResources(db: Db, websiteId: number): Promise<Resource[]> {
  const latest = await rows<{ id: number }>(
    db,
    sql`with latest as (
      select distinct on (a.resource_type, a.resource_id) a.action_id::int as id, a.position, a.resource_type as type,
        a.resource_id as of, a.status = 'done' and a.task = 'run' as done, a.name like '%.remove' as removal
      from workflows w join actions a on a.workflow_id = w.workflow_id
      where w.subject_type = 'website' and w.subject_id = ${websiteId}
      order by a.resource_type, a.resource_id, a.action_id desc)
      select id from latest l where not (l.done and (l.removal or l.type = 'migration' or l.type like 'old-%'))
        and not exists (select from latest o where o.type = 'old-' || l.type and o.of = l.of and o.done and o.id > l.id)
      order by position, id`,
  )
  return resourcesOf(
    db,
    latest.map((row) => row.id),
  )
}

/** One resource with all its actions, newest first. */
export async function readResource(
  db: Db,
  websiteId: number,
  type: string,
  id: number,
): Promise<Output<typeof contract.resource>> {
  const history = await rows<{ id: number }>(
    db,
    sql`select a.action_id::int as id from actions a join workflows w on w.workflow_id = a.workflow_id
      where w.subject_type = 'website' and w.subject_id = ${websiteId} and a.resource_type = ${type} and a.resource_id = ${id}
      order by a.action_id desc limit 200`,
  )
  const ids = history.map((row) => row.id)
  const [resource] = await resourcesOf(db, ids.slice(0, 1))
  if (!resource) throw notFound(`resource ${type}`, id)
  return { ...resource, actions: await readActions(db, ids) }
}

/** Resources of all websites, latest action first. */
export async function listResources(
  db: Db,
  input: Input<typeof contract.resources, 'out'>,
): Promise<Output<typeof contract.resources>> {
  const from: SQL[] = [sql`latest_actions l`]
  const where: SQL[] = []
  if (input.domain) {
    from.push(sql`join workflows w on w.workflow_id = l.workflow_id`)
    where.push(nameLike(sql`w.subject_name`, input.domain))
  }
  if (input.status) {
    from.push(sql`join actions a on a.action_id = l.action_id`)
    where.push(inArray(sql`a.status`, input.status))
  }
  if (input.resourceType) where.push(inArray(sql`l.resource_type`, input.resourceType))
  if (input.server) where.push(inArray(sql`l.server_id`, input.server))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql.join(from, sql` `),
    where,
    key: sql`l.action_id`,
    order: { column: sql`l.action_id`, type: 'int', direction: 'DESC' },
  })
  return { items: await resourcesOf(db, ids), ...page }
}

/** Finds an action of a website's resource by action id, or the newest one by name. `resource` is a type or an id. */
export async function findAction(
  db: Db,
  websiteId: number,
  resource: string,
  action: string,
): Promise<{ id: number; workflowId: number }> {
  const number = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : -1)
  const [found] = await rows<{ id: number; workflowId: number }>(
    db,
    sql`select a.action_id::int as id, a.workflow_id as "workflowId"
      from actions a join workflows w on w.workflow_id = a.workflow_id
      where ${all([
        sql`w.subject_type = 'website' and w.subject_id = ${websiteId}`,
        sql`(a.resource_type = ${resource} or a.resource_id = ${number(resource)})`,
        sql`(a.name = ${action} or a.action_id = ${number(action)} or a.name = a.resource_type || '.' || ${action})`,
      ])} order by a.action_id desc limit 1`,
  )
  if (!found) throw notFound('action', action)
  return found
}

/** The failed or blocked action of a workflow. */
export async function stoppedAction(db: Db, workflowId: number): Promise<number> {
  const [stopped] = await rows<{ id: number }>(
    db,
    sql`select action_id::int as id from actions where workflow_id = ${workflowId} and status in ('failed', 'blocked')`,
  )
  if (!stopped) throw conflict('The workflow is running already')
  return stopped.id
}

async function resourcesOf(db: Db, actionIds: number[]): Promise<Resource[]> {
  if (!actionIds.length) return []
  const about = await rows<{ id: number; websiteId: number; domain: string; resourceName: string; blocks: string[] }>(
    db,
    sql`select a.action_id::int as id, w.subject_id as "websiteId", w.subject_name as domain, a.resource_name as "resourceName",
      case when a.status in ('failed', 'blocked') then coalesce((select array_agg(b.title order by b.position) from actions b
        where b.workflow_id = a.workflow_id and b.position > a.position and b.status = 'pending'), '{}') else '{}' end as blocks
      from actions a join workflows w on w.workflow_id = a.workflow_id where a.action_id in ${actionIds}`,
  )
  const actions = new Map((await readActions(db, actionIds)).map((action) => [action.id, action]))
  return inOrder(actionIds, about).flatMap(({ id, resourceName, ...place }) => {
    const action = actions.get(id)
    if (!action) return []
    const { resourceType, resourceId, serverId, serverName, what, workflowId } = action
    return {
      ...place,
      resourceType,
      resourceId,
      title: resourceTitle(resourceType),
      name: resourceName,
      serverId,
      serverName,
      detail: what,
      status: stateOf(action),
      workflowId,
      action,
    }
  })
}

/** State of a resource, derived from its latest action. */
function stateOf({ name, status, task, input }: Action): string {
  if (status === 'undone' || (status === 'done' && name.endsWith('.remove'))) return 'deleted'
  if (status !== 'done') return status
  if (task === 'undo') return 'unknown'
  return typeof input.state === 'string' ? input.state : 'active'
}
