import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { cancelStopped } from '../../kit/work/cancel.ts'
import { describe, type Outcome, onAnyEnd, onEnd, type Workflow } from '../../kit/work/workflow.ts'
import { noteCompared } from './publications/compare.ts'
import { itself, type KeptSet, settle, settleOn } from './publications/publish.ts'
import { ipSetServers, ipSets } from './tables.ts'

const PublishedSet = z.object({ elements: z.int() })

/**
 * Saves the result of a workflow, then publishes changes since its start to the server. After a failure, the next
 * change starts a new workflow.
 */
async function ended(
  tx: Db,
  workflow: Workflow,
  outcome: Outcome,
  note: (tx: Db, workflow: Workflow) => Promise<void>,
): Promise<void> {
  const [row] = await tx.select().from(ipSetServers).where(eq(ipSetServers.workflowId, workflow.id)).for('update')
  if (row && outcome === 'done') {
    await note(tx, workflow)
    await cancelOlder(tx, workflow, row.serverId)
    await next(tx, workflow, row.serverId)
  }
  // after a rollback the state on the server is unknown: the next change sends the whole set
  if (row && outcome === 'rolled-back')
    await tx.update(ipSetServers).set({ applied: null }).where(eq(ipSetServers.workflowId, workflow.id))
  await changed(tx, 'ipsets', workflow.subjectId)
}

async function next(tx: Db, { id, subjectId }: Workflow, serverId: number): Promise<void> {
  const [set] = await tx.select().from(ipSets).where(eq(ipSets.id, subjectId))
  if (!set) return
  const [row] = await tx.select().from(ipSetServers).where(eq(ipSetServers.workflowId, id))
  // people skipped steps, and publishing again would override their decision
  if (row?.told && row.applied === null && !set.deletedAt) return
  await settleOn(tx, set satisfies KeptSet, serverId, itself)
}

/** Saves which change the server has now; null if a step was skipped. */
async function noteTold(tx: Db, { id }: Workflow): Promise<void> {
  const [published] = await rows<{ change: number; output: unknown; all: boolean }>(
    tx,
    sql`select (input ->> 'change')::int as change, output,
        not exists (select from actions o where o.workflow_id = ${id} and o.name = 'ip-set.ensure' and o.status <> 'done') as all
      from actions where workflow_id = ${id} and name = 'ip-set.ensure' and status = 'done' order by position desc limit 1`,
  )
  const said = PublishedSet.safeParse(published?.output)
  await tx
    .update(ipSetServers)
    .set({
      applied: published?.all ? published.change : null,
      seen: published?.all ? 'same' : 'different',
      at: sql`now()`,
      ...(said.success && { elements: said.data.elements }),
    })
    .where(eq(ipSetServers.workflowId, id))
}

/** Cancels older failed workflows, whose changes this workflow has published. */
async function cancelOlder(tx: Db, { id, subjectId }: Workflow, serverId: number): Promise<void> {
  const older = await rows<{ id: number }>(
    tx,
    sql`select workflow_id as id from workflows w where subject_type = 'ip-set' and subject_id = ${subjectId}
      and kind in ('ip-set.publish', 'ip-set.withdraw') and status = 'failed' and workflow_id < ${id}
      and exists (select from actions a where a.workflow_id = w.workflow_id and a.server_id = ${serverId}) for update`,
  )
  for (const one of older) await cancelStopped(tx, one.id, 'a later change')
}

/** Declares the workflows of this file, for domain.ts. */
export function ipSetWorkflows(): void {
  describe('ip-set.publish', { title: 'Publish IP set', doing: 'being published' })
  onEnd('ip-set.publish', (tx, workflow, outcome) => ended(tx, workflow, outcome, noteTold))
  describe('ip-set.withdraw', { title: 'Take IP set away', doing: 'being taken away' })
  onEnd('ip-set.withdraw', (tx, workflow, outcome) =>
    ended(tx, workflow, outcome, async (tx, { id }) => {
      await tx
        .update(ipSetServers)
        .set({ told: false, applied: null, seen: null })
        .where(eq(ipSetServers.workflowId, id))
    }),
  )
  describe('ip-set.compare', { title: 'Compare IP sets', doing: 'being compared with its servers' })
  onEnd('ip-set.compare', async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'done') await noteCompared(tx, id)
    await changed(tx, 'ipsets', subjectId)
  })

  /** Publishes to a newly provisioned server the sets for all servers and those assigned to it. */
  onAnyEnd(async (tx, { kind, subjectId }, outcome) => {
    if (kind !== 'server.provision' || outcome !== 'done') return
    const wanted = await tx
      .select()
      .from(ipSets)
      .where(sql`${ipSets.deletedAt} is null and (${ipSets.everywhere} or ${subjectId} = any(${ipSets.serverIds}))`)
      .orderBy(ipSets.id)
    for (const set of wanted) {
      await settle(tx, set, itself)
      await changed(tx, 'ipsets', set.id)
    }
  })
}
