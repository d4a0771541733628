import { type moves as contract, groupOf } from '@innkeeper/contract/hosting/moves/calls'
import { desc, eq, or, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, invalid, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { act } from '../../kit/work/interventions.ts'
import { progressOf, readWorkflow } from '../../machines/workflows/read.ts'
import { readGroup } from '../groups/view.ts'
import { groups } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { noteGroup } from './groups/group.ts'
import { groupVerbs } from './groups/verbs.ts'
import { listMoves } from './list.ts'
import { membersOn, refuseKnown } from './plan/known.ts'
import { lookAhead } from './plan/preview.ts'
import { checkSchedule, checkTime } from './schedule.ts'
import { begin, type Move, note } from './startMove.ts'
import { migrations } from './tables.ts'
import { hold, verbs } from './verbs.ts'
import { readMove, readMoves } from './view.ts'

/** Default observation period: a day, so that most resolvers have refreshed their cached records. */
const SOAK_HOURS = 24

export const movesHandlers: Handlers<typeof contract> = {
  // a stream, because both servers are asked before the transaction
  async create(input, context) {
    const { id, targetServerId, targetGroupId = null, targetAccountId, soakHours = SOAK_HOURS, beginsAt } = input
    const { withCopies = true } = input
    const { app, staff } = context
    const website = await readWebsite(context.db, id)
    if (input.sourceWebsiteId !== undefined && input.sourceWebsiteId !== id)
      throw invalid({ sourceWebsiteId: 'This differs from the website in the path' })
    if (input.sourceServerId !== undefined && input.sourceServerId !== website.serverId)
      throw conflict(`${website.domain} is on ${website.serverName}`, {
        fields: { sourceServerId: 'The website is not on this server' },
      })
    if (targetGroupId !== null) await checkGroup(context.db, targetGroupId, website.ownerId)
    const { domain, groupId, serverId: sourceServerId } = website
    const where = { sourceServerId, targetServerId, targetGroupId, soakHours, withCopies }
    if (input.sourceGroupId !== undefined) {
      if (targetAccountId !== undefined) throw invalid({ targetAccountId: 'A group has no account of its own' })
      if (groupId !== input.sourceGroupId)
        throw refused(`${domain} is not in that group`, { sourceGroupId: 'The website is not in this group' })
      return moveGroup(context, { ...where, groupId: input.sourceGroupId, beginsAt }, 'targetServerId')
    }
    if (beginsAt === undefined)
      await refuseKnown(app, [id], {
        ...{ targetServerId, withCopies, field: 'targetServerId' },
        into: { account: targetAccountId },
      })
    return context.lastly(async (db) => {
      const noted = await note(db, app.secrets, staff, {
        ...where,
        type: 'website',
        domain,
        sourceWebsiteId: id,
        sourceGroupId: groupId,
        ...(targetAccountId !== undefined && { targetUserId: targetAccountId }),
        ...(beginsAt !== undefined && { beginsAt }),
      })
      if (beginsAt !== undefined) {
        await checkSchedule(db, noted, beginsAt)
        await changed(db, 'moves', noted.id)
        return begun({ ...context, db }, noted)
      }
      return begun({ ...context, db }, await begin(db, noted, staff))
    })
  },

  preflight: ({ id, ...input }, { app }) => lookAhead(app, id, input),

  list: (input, { db }) => listMoves(db, input),
  one: ({ id }, { db }) => readMove(db, id),

  async ofGroup({ groupId, sourceGroupId, targetGroupId }, { db }) {
    const wanted =
      sourceGroupId === undefined && targetGroupId === undefined ? groupId : decided(sourceGroupId, targetGroupId)
    if (wanted !== groupId) throw invalid({ groupId: `The path must contain the group ${wanted}` })
    // also lists moves of a dissolved group
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
    if (workflowId === null) throw refused('The move has not begun and has no action yet')
    const actionId = await findAction(db, workflowId, action)
    audit.of('migration', id)
    audit.workflow(workflowId)
    audit.before(progressOf(await readWorkflow(db, workflowId)))
    await act(db, { ...update, workflowId, actionId, by: staff.name })
    const now = await readWorkflow(db, workflowId)
    audit.after({ ...progressOf(now), ...(update.reason && { reason: update.reason }) })
    return now
  },

  async group({ id, originServerSource, originServerTarget, ...more }, context) {
    const { soakHours = SOAK_HOURS, withCopies = true, beginsAt } = more
    await readGroup(context.db, id)
    if (originServerSource === originServerTarget)
      throw refused('The website is already on that server', {
        originServerTarget: 'The website is already on this server',
      })
    const servers = { sourceServerId: originServerSource, targetServerId: originServerTarget }
    const wanted = { ...servers, groupId: id, targetGroupId: null, soakHours, withCopies, beginsAt }
    return moveGroup(context, wanted, 'originServerTarget')
  },
}

/** Starts the move of a group, or schedules it. `field` names the target server in the call. */
async function moveGroup(
  context: Context,
  wanted: Parameters<typeof noteGroup>[3],
  field: 'targetServerId' | 'originServerTarget',
) {
  const { app, staff } = context
  const { groupId, sourceServerId, targetServerId, withCopies, beginsAt } = wanted
  if (beginsAt === undefined)
    await refuseKnown(app, await membersOn(app, groupId, sourceServerId), { targetServerId, withCopies, field })
  else checkTime(beginsAt)
  return context.lastly(async (db) => begun({ ...context, db }, await noteGroup(db, app.secrets, staff, wanted)))
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
  if (group.ownerId !== ownerId)
    throw refused('That group belongs to another owner', { targetGroupId: 'The group belongs to another owner' })
}

function decided(sourceGroupId: number | undefined, targetGroupId: number | undefined): number {
  try {
    return groupOf(sourceGroupId, targetGroupId)
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error))
  }
}

/** Finds an action by id or name. If several have the name, prefers a failed or blocked action, then the last. */
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
