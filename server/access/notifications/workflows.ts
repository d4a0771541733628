import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { type Outcome, onAnyEnd, titleOf, type Workflow } from '../../kit/work/workflow.ts'
import { notify } from './notify.ts'

/** Minimum duration of a successful workflow that sends a notification. People see the end of shorter ones on screen. */
const LONG_MS = 60_000

const paths: Record<string, (id: number) => string> = {
  website: (id) => `/websites/${id}`,
  server: (id) => `/server/${id}`,
}

const isShort = ({ startedAt, endedAt }: Workflow, outcome: Outcome): boolean =>
  outcome === 'done' && Date.parse(endedAt ?? startedAt) - Date.parse(startedAt) < LONG_MS

/** Title and reason of the action that failed. */
async function stopped(tx: Db, workflowId: number): Promise<string> {
  const [action] = await rows<{ title: string; reason: string }>(
    tx,
    sql`select title, reason from actions where workflow_id = ${workflowId} and status in ('failed', 'blocked')
      order by position limit 1`,
  )
  return action ? `${action.title}: ${action.reason}` : 'The workflow waits for somebody.'
}

/** Declares the workflows of this file, for domain.ts. */
export function workflowNotices(): void {
  // notifies whoever started a workflow when it fails or is rolled back, or when a long one is done
  onAnyEnd(async (tx, workflow, outcome) => {
    if (workflow.startedById === null || outcome === 'running' || isShort(workflow, outcome)) return
    const { startedById, subjectType, subjectId, subjectName, kind } = workflow
    const title = `${titleOf(kind)} ${subjectName}`
    await notify(tx, {
      to: [startedById],
      reason: 'workflow',
      link: paths[subjectType]?.(subjectId),
      ...(outcome === 'failed'
        ? { level: 'error', title: `${title} failed`, body: await stopped(tx, workflow.id) }
        : outcome === 'done'
          ? { level: 'success', title: `${title} is done`, body: 'All its actions are done.' }
          : { level: 'warning', title: `${title} was rolled back`, body: 'Its actions were undone in reverse order.' }),
    })
  })
}
