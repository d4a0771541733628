import { eq, inArray, sql } from 'drizzle-orm'
import { holdAccounts } from '../../../hosting/systemUsers/hold.ts'
import { originVhosts, websites } from '../../../hosting/websites/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { act } from '../../../kit/work/interventions.ts'
import { describe, onEnd, start, type Workflow } from '../../../kit/work/workflow.ts'
import { type Change, changeSteps } from './change.ts'

export const KIND = 'website.origin-vhost'
/** Kind of workflow for several websites. The first website must answer before the others are changed. */
export const KIND_OF_MANY = 'website.origin-vhosts'

/**
 * Saves the desired settings as pending and starts the workflow, in the caller's transaction. Of several websites, the
 * first is changed and probed first; with `wait` the workflow then pauses until somebody resumes it.
 */
export async function begin(
  { db, staff }: { db: Db; staff: { id: number | null; name: string } },
  changes: readonly [Change, ...Change[]],
  { wait = false } = {},
): Promise<number> {
  const [{ before: first }] = changes
  await holdAccounts(
    db,
    changes.map(({ before }) => before.systemUser.id),
  )
  const steps = changes.map(changeSteps)
  const workflowId = await start(db, {
    kind: changes.length === 1 ? KIND : KIND_OF_MANY,
    subject: { type: 'website', id: first.id, name: first.domain },
    holder: staff.name,
    startedById: staff.id,
    plan: steps.flat(),
    locks: changes.map(({ before }) => `website:${before.id}`),
    ...(wait && changes.length > 1 && { pauseAfter: steps[0]?.length }),
  })
  await db
    .insert(originVhosts)
    .values(
      changes.map(({ before, requested }) => ({
        websiteId: before.id,
        pending: requested,
        workflowId,
        createdBy: staff.id,
      })),
    )
    .onConflictDoUpdate({
      target: originVhosts.websiteId,
      set: { pending: sql`excluded.pending`, workflowId, ...nextVersionHere },
    })
  const ids = changes.map(({ before }) => before.id)
  await db
    .update(websites)
    .set({ workflowId, ...nextVersion })
    .where(inArray(websites.id, ids))
  await notify(db, ids)
  return workflowId
}
const nextVersionHere = { version: sql`${originVhosts.version} + 1`, updatedAt: sql`now()` }

async function notify(db: Db, ids: number[]): Promise<void> {
  const one = ids.length === 1 ? ids[0] : undefined
  await changed(db, 'originVhosts', one)
  await changed(db, 'websites', one)
}

/** Rolls back a failed change once, automatically; a failed rollback waits for people. */
async function goBack(tx: Db, { id: workflowId, undo }: Workflow): Promise<void> {
  if (undo) return
  const [stopped] = await rows<{ id: number; title: string; reason: string | null }>(
    tx,
    sql`select action_id::float8 as id, title, reason from actions
      where workflow_id = ${workflowId} and status in ('failed', 'blocked') order by position limit 1`,
  )
  if (!stopped) return
  const reason = `${stopped.title}: ${stopped.reason ?? 'it failed'}`.slice(0, 1000)
  await tx.update(originVhosts).set({ problem: reason }).where(eq(originVhosts.workflowId, workflowId))
  await act(tx, { workflowId, actionId: stopped.id, actionType: 'rollback', reason, by: 'Innkeeper' })
}

/** Declares the workflows of this file, for domain.ts. */
export function originWorkflows(): void {
  describe(KIND, { title: 'Change origin vhost', doing: 'getting another PHP, or other rules' })
  describe(KIND_OF_MANY, { title: 'Change origin vhosts', doing: 'getting another PHP together with others' })
  for (const kind of [KIND, KIND_OF_MANY])
    onEnd(kind, async (tx, workflow, outcome) => {
      if (outcome === 'failed') await goBack(tx, workflow)
      const theirs = await tx.select().from(originVhosts).where(eq(originVhosts.workflowId, workflow.id))
      if (outcome === 'done')
        for (const { websiteId, pending } of theirs)
          if (pending) {
            await tx
              .update(originVhosts)
              .set({
                phpParameters: pending.phpParameters,
                ...(pending.application !== undefined && { application: pending.application }),
                ...(pending.rulesNumber !== undefined && { rulesNumber: pending.rulesNumber }),
                pending: null,
                problem: null,
                seen: 'same',
                seenAt: sql`now()`,
                ...nextVersionHere,
              })
              .where(eq(originVhosts.websiteId, websiteId))
            await tx
              .update(websites)
              .set({
                phpVersion: pending.phpVersion,
                ...(pending.found !== undefined && { foundApplication: pending.found }),
                ...nextVersion,
              })
              .where(eq(websites.id, websiteId))
          }
      if (outcome === 'rolled-back') {
        await tx.update(originVhosts).set({ pending: null }).where(eq(originVhosts.workflowId, workflow.id))
        const found = theirs.filter(({ pending }) => pending?.found !== undefined).map(({ websiteId }) => websiteId)
        // the website fails with the rules of what was found there: the next look may find something else
        if (found.length)
          await tx
            .update(websites)
            .set({ lookAt: sql`now() + interval '1 day'` as unknown as string })
            .where(inArray(websites.id, found))
      }
      await notify(
        tx,
        theirs.map(({ websiteId }) => websiteId),
      )
    })
}
