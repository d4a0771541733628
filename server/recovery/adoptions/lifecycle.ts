import { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, onEnd, rollBackWhen, whyStopped } from '../../kit/work/workflow.ts'
import { adoptions } from './tables.ts'

/** Declares the workflows of this file, for domain.ts. */
export function adoptionWorkflows(): void {
  describe('adoption.look', { title: 'Look at server', doing: 'being looked at' })
  rollBackWhen('adoption.look', async () => true)
  onEnd('adoption.look', async (tx, { id: workflowId, subjectId, undo }, outcome) => {
    if (outcome === 'running') return
    if (outcome === 'rolled-back' && undo) return changed(tx, 'adoptions', subjectId) // keeps the reason of the failure
    const [answer] = await rows<{ output: unknown }>(
      tx,
      sql`select output from actions where workflow_id = ${workflowId} and name = 'machine.look' and status = 'done'`,
    )
    const set =
      outcome === 'done'
        ? { status: 'ready' as const, reason: null, found: FoundMachine.parse(answer?.output), checkedAt: null }
        : { status: 'unreadable' as const, reason: await whyStopped(tx, workflowId) }
    await tx
      .update(adoptions)
      .set({ ...set, ...nextVersion })
      .where(eq(adoptions.id, subjectId))
    await changed(tx, 'adoptions', subjectId)
  })
}
