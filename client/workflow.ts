import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'

const POLL_MS = 1000

/** A workflow that ended otherwise than done, or that stopped and waits for people. */
export class WorkflowEnded extends Error {
  readonly workflow: WorkflowWithActions
  constructor(workflow: WorkflowWithActions) {
    const failed = workflow.actions.find(({ status }) => status === 'failed' || status === 'unknown')
    const why = failed ? `: ${failed.title}${failed.reason ? ` – ${failed.reason}` : ''}` : ''
    super(`${workflow.title} ${workflow.subjectName} is ${workflow.status}${why}`)
    this.workflow = workflow
  }
}

/** Reads a workflow until it ends. There is no limit of time: work on servers takes as long as it takes. */
export async function follow(
  read: (signal?: AbortSignal) => Promise<WorkflowWithActions>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (workflow: WorkflowWithActions) => void },
): Promise<WorkflowWithActions> {
  for (;;) {
    const workflow = await read(signal)
    onProgress?.(workflow)
    if (workflow.status === 'done') return workflow
    if (workflow.status !== 'running' && workflow.status !== 'waiting') throw new WorkflowEnded(workflow)
    await sleep(POLL_MS, undefined, { signal })
  }
}
