import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { cancelStopped } from './cancel.ts'
import { onAnyEnd, rollBackWhen, type Workflow, whyStopped } from './workflow.ts'

interface Stop {
  why: string
  /** Number of consecutive failed attempts, including this one. */
  failures: number
}
type Told = (tx: Db, workflow: Workflow, stop: Stop) => Promise<void>
const kinds = new Map<string, Told>()

/**
 * Declares a kind of workflow that schedules start, and that may be undone completely when it fails. A workflow that no
 * person started does not wait for people: when it stops, it is rolled back, or cancelled if the rollback stops too.
 * Both release its locks. `told` runs when it stops, to plan the next attempt and notify people.
 */
export function automatic(kind: string, told: Told): void {
  rollBackWhen(kind, async (_, { startedById }) => startedById === null)
  kinds.set(kind, told)
}

onAnyEnd(async (tx, workflow, outcome) => {
  const told = kinds.get(workflow.kind)
  if (!told || outcome !== 'failed' || workflow.startedById !== null) return
  if (workflow.undo) return cancelStopped(tx, workflow.id, workflow.holder)
  await told(tx, workflow, { why: await whyStopped(tx, workflow.id), failures: await failuresOf(tx, workflow) })
})

/** Number of failed attempts since the last successful one. */
async function failuresOf(tx: Db, { id, kind, subjectType, subjectId }: Workflow): Promise<number> {
  const [found] = await rows<{ n: number }>(
    tx,
    sql`select count(*)::int as n from workflows w
      where w.subject_type = ${subjectType} and w.subject_id = ${subjectId} and w.kind = ${kind} and w.workflow_id <= ${id}
        and w.started_by_id is null and w.workflow_id > coalesce((select max(d.workflow_id) from workflows d
          where d.subject_type = ${subjectType} and d.subject_id = ${subjectId} and d.kind = ${kind} and d.status = 'done'), 0)`,
  )
  return found?.n ?? 1
}

const FIRST_MINUTES = 5
const MOST_MINUTES = 1440
/** Time of the next attempt: after five minutes, then twice as long after each failure, up to a day. */
export function nextTry(failures: number, now = new Date()): Date {
  const minutes = Math.min(MOST_MINUTES, FIRST_MINUTES * 2 ** Math.min(failures - 1, 12))
  return new Date(now.getTime() + minutes * 60_000)
}
