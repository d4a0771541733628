import { eq, sql } from 'drizzle-orm'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd, rollBackWhen, type Workflow, whyStopped } from '../../kit/work/workflow.ts'
import { settle } from '../sftp/lifecycle.ts'
import { noteUids } from '../systemUsers/lifecycle.ts'
import { websites } from '../websites/tables.ts'
import { afterMember } from './groups/group.ts'
import { keyOf } from './plan/plan.ts'
import { dropEmpty } from './plan/targetAccount.ts'
import { freezeOf, reportOf } from './report.ts'
import { type Move, touch } from './startMove.ts'
import { migrations } from './tables.ts'

async function became(tx: Db, move: Move, workflow: Workflow, outcome: Outcome): Promise<Partial<Move>> {
  // a rollback keeps the reason of the stop
  if (outcome === 'running') return { status: 'running', ...(!workflow.undo && { reason: null }) }
  if (outcome === 'failed') return { status: 'failed', reason: await whyStopped(tx, workflow.id) }
  if (outcome === 'rolled-back') {
    const homes = move.reverseOf === null ? move.sites.map(({ to }) => to.systemUserId) : []
    for (const id of new Set(homes)) await dropEmpty(tx, id)
    // the observation period of the first move, with its retirement at the end, starts again
    if (move.reverseOf !== null) await touch(tx, move.reverseOf, { soakUntil: soakEnd(move) })
    return { status: 'rolled-back', endedAt: now() }
  }
  await noteUids(tx, workflow.id)
  if (move.reverseOf !== null)
    await touch(tx, move.reverseOf, { status: 'rolled-back', soakUntil: null, endedAt: now() })
  return { status: 'soaking', reason: null, freezeMs: await freezeOf(tx, workflow.id), soakUntil: soakEnd(move, 0) }
}
const now = () => new Date().toISOString()
const soakEnd = ({ soakHours }: Move, least = 1) =>
  new Date(Date.now() + Math.max(least, soakHours) * 3_600_000).toISOString()

async function moveOf(tx: Db, { id }: Workflow): Promise<Move | undefined> {
  const [move] = await tx.select().from(migrations).where(eq(migrations.workflowId, id)).for('update')
  return move
}

async function notify(tx: Db, { id, parentId, reverseOf }: Move): Promise<void> {
  await changed(tx, 'moves', id)
  if (reverseOf !== null) {
    await changed(tx, 'moves', reverseOf)
    const [first] = await tx.select().from(migrations).where(eq(migrations.id, reverseOf))
    if (first && first.parentId !== null) await afterMember(tx, first.parentId)
  }
  if (parentId !== null) await afterMember(tx, parentId)
}

/** Declares the workflows of this file, for domain.ts. */
export function moveWorkflows(): void {
  describe('website.migrate', { title: 'Move website', doing: 'moving to another server' })
  describe('website.retire', { title: 'Retire the old server', doing: 'being removed from its old server' })
  onEnd('website.migrate', async (tx, workflow, outcome) => {
    const move = await moveOf(tx, workflow)
    if (!move) return
    const report = await reportOf(tx, workflow.id)
    await touch(tx, move.id, { report, ...(await became(tx, move, workflow, outcome)) })
    if (outcome === 'done' || outcome === 'rolled-back') {
      for (const { id, state } of move.sites) {
        await tx
          .update(websites)
          .set({ status: state, ...nextVersion })
          .where(eq(websites.id, id))
        await changed(tx, 'websites', id)
      }
      await tx.delete(secrets).where(eq(secrets.name, keyOf(move.id)))
      for (const account of new Set(move.sites.map(({ to }) => to.systemUserId))) {
        await settle(tx, account, workflow.id, outcome)
        await changed(tx, 'sftp', account)
      }
    }
    await notify(tx, move)
  })

  // Visitors get 503 between the freeze and the cut-over. A move that fails then reopens the website on the old server.
  rollBackWhen('website.migrate', async (tx, { id }) => {
    const [found] = await rows<{ closed: boolean }>(
      tx,
      sql`select bool_or(input ->> 'state' = 'moving' and attempt > 0)
        and not bool_or(name = 'migration.cutover' and status = 'done') as closed
      from actions where workflow_id = ${id}`,
    )
    return found?.closed === true
  })

  onEnd('website.retire', async (tx, workflow, outcome) => {
    const move = await moveOf(tx, workflow)
    if (!move) return
    if (outcome === 'running') await touch(tx, move.id, { status: 'running', reason: null })
    if (outcome === 'failed') await touch(tx, move.id, { status: 'failed', reason: await whyStopped(tx, workflow.id) })
    if (outcome === 'rolled-back') {
      await touch(tx, move.id, { status: 'soaking', reason: null, soakUntil: soakEnd(move) })
    }
    if (outcome === 'done') {
      await touch(tx, move.id, { status: 'done', reason: null, soakUntil: null, endedAt: now() })
      for (const { from } of move.sites) await dropEmpty(tx, from.systemUserId)
    }
    await notify(tx, move)
  })
}
