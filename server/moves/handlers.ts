import { type moves as contract, groupOf, type MigrationStatus, phaseOf, phases } from '@innkeeper/contract/moves'
import { desc, eq, or, sql } from 'drizzle-orm'
import { groups } from '../groups/tables.ts'
import { readGroup } from '../groups/view.ts'
import { type Db, rows } from '../kit/db/db.ts'
import type { Context, Handlers } from '../kit/http/api.ts'
import { conflict, invalid, notFound, refused } from '../kit/http/errors.ts'
import { changed } from '../kit/live/live.ts'
import { act } from '../kit/work/interventions.ts'
import { workflows } from '../kit/work/tables.ts'
import { pause, resume } from '../kit/work/workflow.ts'
import { readWebsite } from '../websites/view.ts'
import { progressOf, readWorkflow } from '../workflows/read.ts'
import { noteGroup, resumeGroup } from './groups/group.ts'
import { listMoves } from './list.ts'
import { begin, type Move, note, touch } from './startMove.ts'
import './belongings.ts'
import './lifecycle.ts'
import { lookAhead } from './plan/preview.ts'
import { retire } from './soak.ts'
import { migrations } from './tables.ts'
import { readMove, readMoves } from './view.ts'

/** Default overlap of both servers: a day, so that most resolvers have refreshed their cached records. */
const SOAK_HOURS = 24

export const movesHandlers: Handlers<typeof contract> = {
  async create(input, context) {
    const { db, app, staff } = context
    const { id, targetServerId, targetGroupId = null, soakHours = SOAK_HOURS } = input
    const website = await readWebsite(db, id)
    if (input.sourceWebsiteId !== undefined && input.sourceWebsiteId !== id)
      throw invalid({ sourceWebsiteId: 'Another website than that of the path' })
    if (input.sourceServerId !== undefined && input.sourceServerId !== website.serverId)
      throw conflict(`${website.domain} is on ${website.serverName}`, { fields: { sourceServerId: 'It is not there' } })
    if (targetGroupId !== null) await checkGroup(db, targetGroupId, website.ownerId)
    const where = { sourceServerId: website.serverId, targetServerId, targetGroupId, soakHours }
    if (input.sourceGroupId !== undefined) {
      if (website.groupId !== input.sourceGroupId)
        throw refused(`${website.domain} is not in that group`, { sourceGroupId: 'It is not in that group' })
      return begun(context, await noteGroup(db, app.secrets, staff, { ...where, groupId: input.sourceGroupId }))
    }
    const { domain, groupId } = website
    const noted = await note(db, app.secrets, staff, {
      ...where,
      type: 'website',
      domain,
      sourceWebsiteId: id,
      sourceGroupId: groupId,
    })
    return begun(context, await begin(db, noted, staff))
  },

  preflight: ({ id, targetServerId, group }, { app }) => lookAhead(app, id, targetServerId, group),

  list: (input, { db }) => listMoves(db, input),
  one: ({ id }, { db }) => readMove(db, id),

  async ofGroup({ groupId, sourceGroupId, targetGroupId }, { db }) {
    const wanted =
      sourceGroupId === undefined && targetGroupId === undefined ? groupId : decided(sourceGroupId, targetGroupId)
    if (wanted !== groupId) throw invalid({ groupId: `The path has to name the group ${wanted}` })
    // moves of a dissolved group are listed too
    const [group] = await db.select({ id: groups.id }).from(groups).where(eq(groups.id, groupId))
    if (!group) throw notFound('website group', groupId)
    const found = await db
      .select({ id: migrations.id })
      .from(migrations)
      .where(or(eq(migrations.sourceGroupId, groupId), eq(migrations.targetGroupId, groupId)))
      .orderBy(desc(migrations.createdAt), desc(migrations.id))
      .limit(200)
    return {
      migrations: await readMoves(
        db,
        found.map((move) => move.id),
      ),
    }
  },

  async update({ id, want, reason, version }, context) {
    const { db, app, staff, audit } = context
    const move = await hold(db, id)
    audit.before({ status: move.status })
    if (version !== undefined && version !== move.version)
      throw conflict(`The move of ${move.domain} was changed meanwhile: it is ${move.status}`, {
        current: await readMove(db, id),
      })
    const result = await (move.type === 'group' ? groupVerbs : verbs)[want]({ db, app, staff, move, reason })
    audit.after({ status: result.status, ...(reason && { reason }) })
    return begun(context, result)
  },

  async updateAction({ id, action, ...update }, { db, staff, audit }) {
    const { workflowId } = await hold(db, id)
    if (workflowId === null) throw refused('It has not begun: there is no action yet')
    const actionId = await findAction(db, workflowId, action)
    audit.of('migration', id)
    audit.workflow(workflowId)
    audit.before(progressOf(await readWorkflow(db, workflowId)))
    await act(db, { ...update, workflowId, actionId, by: staff.name })
    const now = await readWorkflow(db, workflowId)
    audit.after({ ...progressOf(now), ...(update.reason && { reason: update.reason }) })
    return now
  },

  async group({ id, originServerSource, originServerTarget, soakHours = SOAK_HOURS }, context) {
    const { db, app, staff } = context
    await readGroup(db, id)
    if (originServerSource === originServerTarget)
      throw refused('It is on that server already', { originServerTarget: 'The same server' })
    const move = await noteGroup(db, app.secrets, staff, {
      groupId: id,
      sourceServerId: originServerSource,
      targetServerId: originServerTarget,
      targetGroupId: null,
      soakHours,
    })
    return begun(context, move)
  },
}

interface Task extends Pick<Context, 'db' | 'app' | 'staff'> {
  move: Move
  reason: string | undefined
}
type Verbs = Record<'pause' | 'resume' | 'rollback' | 'retire', (task: Task) => Promise<Move>>

const verbs: Verbs = {
  async pause({ db, move }) {
    const workflowId = expect(move, 'running')
    const { actions } = await readWorkflow(db, workflowId)
    const at = actions.find(({ status }) => status === 'running' || status === 'ready')
    const phase = at && phases.indexOf(phaseOf(at))
    if (phase !== undefined && phase >= phases.indexOf('freeze') && phase <= phases.indexOf('proxy'))
      throw conflict('Visitors are waiting: the move can only complete or be rolled back')
    if (!(await pause(db, workflowId))) throw conflict('It is paused or over already')
    return set(db, move, { status: 'paused' })
  },
  async resume({ db, move }) {
    if (!(await resume(db, expect(move, 'paused')))) throw conflict('It is running already')
    return set(db, move, { status: 'running' })
  },
  async rollback({ db, app, staff, move, reason }) {
    if (move.status === 'soaking') return back(db, app, staff, move)
    const workflowId = expect(move, 'running', 'paused', 'failed')
    const [{ actionId } = { actionId: -1 }] = await rows<{ actionId: number }>(
      db,
      sql`select action_id::float8 as "actionId" from actions where workflow_id = ${workflowId} order by position limit 1`,
    )
    await act(db, { workflowId, actionId, actionType: 'rollback', by: staff.name, reason })
    return hold(db, move.id)
  },
  async retire({ db, app, staff, move }) {
    expect(move, 'soaking')
    await retire(db, move, staff, app.settings.trashDays)
    return hold(db, move.id)
  },
}

/** Verbs of a group's move. Its members are moves of their own with verbs of their own. */
const groupVerbs: Verbs = {
  async pause({ db, move }) {
    if (move.status !== 'running') throw conflict(`It is ${move.status}`)
    return set(db, move, { status: 'paused' }) // no further member starts
  },
  async resume({ db, move }) {
    if (move.status !== 'paused' && move.status !== 'failed') throw conflict(`It is ${move.status}: nothing to resume`)
    await resumeGroup(db, move)
    return hold(db, move.id)
  },
  rollback: async () => {
    throw refused('A group is rolled back by its members: each has its own move')
  },
  async retire({ db, app, staff, move }) {
    const soaking = await db
      .select()
      .from(migrations)
      .where(sql`${migrations.parentId} = ${move.id} and ${migrations.status} = 'soaking'`)
    if (!soaking.length) throw conflict('None of its members is under observation')
    for (const member of soaking) await retire(db, member, staff, app.settings.trashDays)
    return hold(db, move.id)
  },
}

/** Starts a move back to the source server, including the changes since the first move. */
async function back(db: Db, app: Context['app'], staff: Context['staff'], move: Move): Promise<Move> {
  const sites = move.sites.map(({ from, to, ...site }) => ({ ...site, from: to, to: from }))
  const noted = await note(db, app.secrets, staff, {
    type: 'website',
    domain: move.domain,
    sourceWebsiteId: move.sourceWebsiteId,
    sourceGroupId: move.targetGroupId ?? move.sourceGroupId,
    sourceServerId: move.targetServerId,
    targetServerId: move.sourceServerId,
    targetGroupId: move.targetGroupId === null ? null : move.sourceGroupId,
    targetUserId: sites[0]?.to.systemUserId ?? null,
    soakHours: move.soakHours,
    reverseOf: move.id,
    sites,
  })
  // stop the scheduled retirement: it would remove the files that the move goes back to
  await touch(db, move.id, { soakUntil: null })
  return begin(db, noted, staff)
}

function expect(move: Move, ...statuses: MigrationStatus[]): number {
  if (!statuses.includes(move.status)) throw conflict(`The move of ${move.domain} is ${move.status}`)
  if (move.workflowId === null) throw conflict(`The move of ${move.domain} never began: start it anew`)
  return move.workflowId
}

async function set(db: Db, move: Move, values: Parameters<typeof touch>[2]): Promise<Move> {
  await touch(db, move.id, values)
  await changed(db, 'moves', move.id)
  return hold(db, move.id)
}

/**
 * Locks the move's row until the transaction ends. The workflow's row is locked first, as everywhere, to avoid
 * deadlocks.
 */
async function hold(db: Db, id: number): Promise<Move> {
  const [seen] = await db.select({ workflowId: migrations.workflowId }).from(migrations).where(eq(migrations.id, id))
  if (!seen) throw notFound('migration', id)
  if (seen.workflowId !== null) await db.select().from(workflows).where(eq(workflows.id, seen.workflowId)).for('update')
  const [move] = await db.select().from(migrations).where(eq(migrations.id, id)).for('update')
  if (!move) throw notFound('migration', id)
  return move
}

async function begun({ db, audit }: Context, { id, workflowId }: Move) {
  const [shown] = await readMoves(db, [id])
  if (!shown) throw notFound('migration', id)
  audit.of('migration', id)
  if (workflowId !== null) audit.workflow(workflowId)
  audit.after({ ...shown, report: undefined })
  return shown
}

async function checkGroup(db: Db, id: number, ownerId: number): Promise<void> {
  const group = await readGroup(db, id)
  if (group.ownerId !== ownerId) throw refused('That group is of another owner', { targetGroupId: 'Of another owner' })
}

function decided(sourceGroupId: number | undefined, targetGroupId: number | undefined): number {
  try {
    return groupOf(sourceGroupId, targetGroupId)
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error))
  }
}

/** Finds an action by id or name. Of several with that name, prefers a failed or blocked one, then the last. */
async function findAction(db: Db, workflowId: number, action: string): Promise<number> {
  const number = /^\d{1,15}$/.test(action) ? Number(action) : -1
  const [found] = await rows<{ id: number }>(
    db,
    sql`select action_id::float8 as id from actions where workflow_id = ${workflowId} and (name = ${action} or action_id = ${number}::bigint)
      order by status in ('failed', 'blocked') desc, position desc limit 1`,
  )
  if (!found) throw notFound('action', action)
  return found.id
}
