import { eq } from 'drizzle-orm'
import { arrived } from '../../../hosting/websites/arriving.ts'
import { secrets } from '../../../kit/app/tables.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { describe, onEnd, onPlannedPause, rollBackWhen, whyStopped } from '../../../kit/work/workflow.ts'
import { certificateOf } from '../actions.ts'
import { adoptionPlaces } from '../tables.ts'

const statuses = { running: 'taking', failed: 'failed', done: 'accepted', 'rolled-back': 'undone' } as const

/** Declares the workflows of this file, for domain.ts. */
export function placeWorkflows(): void {
  describe('adoption.take', {
    title: 'Take over website',
    doing: 'being taken over',
    undoLoses: 'Nothing: the website is served by its former configuration again, with the same files.',
  })
  // half of it is of no use, and the former configuration works
  rollBackWhen('adoption.take', async () => true)
  onPlannedPause('adoption.take', async (tx, { subjectId }) => {
    const [place] = await tx
      .update(adoptionPlaces)
      .set({ status: 'taken', reason: null, ...nextVersion })
      .where(eq(adoptionPlaces.websiteId, subjectId))
      .returning({ adoptionId: adoptionPlaces.adoptionId })
    if (place) await changed(tx, 'adoptions', place.adoptionId)
  })
  onEnd('adoption.take', async (tx, { id: workflowId, subjectId, undo }, outcome) => {
    const reason = outcome === 'failed' ? await whyStopped(tx, workflowId) : undefined
    const [place] = await tx
      .update(adoptionPlaces)
      .set({
        status: statuses[outcome],
        // what failed is told after the roll back, too
        ...(reason !== undefined ? { reason } : outcome === 'running' && !undo && { reason: null }),
        ...nextVersion,
      })
      .where(eq(adoptionPlaces.websiteId, subjectId))
      .returning({ id: adoptionPlaces.id, adoptionId: adoptionPlaces.adoptionId, aliases: adoptionPlaces.aliases })
    if (!place) return
    // the row of the certificate has its key by now, or nothing has it
    if (outcome === 'done' || outcome === 'rolled-back')
      await tx.delete(secrets).where(eq(secrets.name, certificateOf(place.id)))
    await arrived(tx, workflowId, [{ id: subjectId, aliases: place.aliases, state: 'active' }], outcome)
    await changed(tx, 'adoptions', place.adoptionId)
  })
}
