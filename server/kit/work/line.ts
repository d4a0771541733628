import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { Refusal } from '../http/errors.ts'
import { advance, onAnyEnd, tryLocks, type Workflow } from './workflow.ts'

/** Makes the plan of a workflow again when its turn comes, from the rows as they are then. Throws a refusal when it no longer applies. */
type Again = (tx: Db, workflow: Pick<Workflow, 'id' | 'kind' | 'subjectId'>) => Promise<void>
const makers = new Map<string, Again>()
export const planAgain = (kind: string, again: Again): void => void makers.set(kind, again)

interface Waiting {
  id: number
  kind: string
  subjectId: number
  holder: string
  queuedFor: string[]
}

/**
 * Gives freed locks to the workflows that wait for them, in the order of their start. A workflow also waits behind an
 * earlier one in the line that needs one of its locks. What two transactions free at the same moment, the worker's sweep
 * finds. Decision 152.
 */
export async function admit(tx: Db): Promise<void> {
  const line = await rows<Waiting>(
    tx,
    sql`select workflow_id as id, kind, subject_id as "subjectId", holder, queued_for as "queuedFor" from workflows
      where queued_for is not null and ended_at is null and not undo and not paused
      order by workflow_id for update skip locked`,
  )
  const taken = new Set<string>()
  for (const one of line) {
    const isFree = !one.queuedFor.some((lock) => taken.has(lock)) && (await takesAll(tx, one))
    for (const lock of one.queuedFor) taken.add(lock)
    if (isFree) await begin(tx, one)
  }
}

async function takesAll(tx: Db, { id, holder, queuedFor }: Waiting): Promise<boolean> {
  const [held] = await rows(tx, sql`select from resource_locks where resource in ${queuedFor} limit 1`)
  return !held && (await tryLocks(tx, id, holder, queuedFor)).length === 0
}

async function begin(tx: Db, one: Waiting): Promise<void> {
  await tx.execute(sql`update workflows set queued_for = null where workflow_id = ${one.id}`)
  try {
    await tx.transaction(async (inner) => makers.get(one.kind)?.(inner, one))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await tx.execute(sql`update actions set status = 'failed', reason = ${error.message}, ended_at = now()
      where workflow_id = ${one.id} and position = (select min(position) from actions
        where workflow_id = ${one.id} and status = 'pending')`)
  }
  await advance(tx, [one.id])
}

/** Releases a lock of a stopped workflow, which takes the lock again when it continues. */
export async function freeLock(tx: Db, workflowId: number, resource: string): Promise<void> {
  await tx.execute(sql`delete from resource_locks where workflow_id = ${workflowId} and resource = ${resource}`)
  await admit(tx)
}

onAnyEnd(async (tx, _, outcome) => {
  if (outcome === 'done' || outcome === 'rolled-back') await admit(tx)
})
