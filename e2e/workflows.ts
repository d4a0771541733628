import type { OutputLine, Workflow, WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import type { Innkeeper } from './innkeeper.ts'
import { untilStill } from './until.ts'

export const workflow = (innkeeper: Innkeeper, id: number): Promise<WorkflowWithActions> =>
  innkeeper.must('GET', `/workflows/${id}`)

/** What can be seen of the progress of a workflow: its actions with their attempts, and the last line of those that run. */
export async function progressOf(innkeeper: Innkeeper, { id, status, actions }: WorkflowWithActions): Promise<string> {
  const lines = await Promise.all(
    actions
      .filter((action) => action.status === 'running')
      .map(async (action) => {
        const at = `/workflows/${id}/output?actionId=${action.id}`
        const { items }: { items: OutputLine[] } = await innkeeper.must('GET', at)
        return items.at(-1)
      }),
  )
  const states = actions.map((action) => `${action.name} ${action.status} ${action.attempt}`)
  return [status, ...states, ...lines.map((line) => `${line?.at} ${line?.text}`)].join('\n')
}

/** The same of the open workflows of a server. */
export async function progressOfServer(innkeeper: Innkeeper, serverId: number): Promise<string> {
  const { items }: { items: Workflow[] } = await innkeeper.must(
    'GET',
    `/workflows?subjectType=server&subjectId=${serverId}`,
  )
  const all = await Promise.all(items.map(async ({ id }) => progressOf(innkeeper, await workflow(innkeeper, id))))
  return all.join('\n')
}

/** Waits until an import has brought and compared everything, or has failed. */
export const untilVerified = (innkeeper: Innkeeper, id: number): Promise<ArchiveImportView> =>
  untilStill('the import is verified', async () => {
    const now: ArchiveImportView = await innkeeper.must('GET', `/archive-imports/${id}`)
    // the import itself shows nothing while its steps run, which takes minutes on a busy machine
    const progress =
      now.workflowId === null ? '' : await progressOf(innkeeper, await workflow(innkeeper, now.workflowId))
    const isOver = now.status === 'verified' || now.status === 'failed'
    return { done: isOver ? now : undefined, seen: `${progress}\n${JSON.stringify(now)}` }
  })
