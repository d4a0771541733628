import type { Action, ActionType } from '@innkeeper/contract/machines/workflows'
import { listed } from '../access/reasons.ts'
import { confirm } from '../dialogs/dialogs.ts'
import { lasting } from '../look/format.ts'
import { stateOf } from '../look/stateWords.ts'

export interface Verb {
  type: ActionType
  /** Ends with dots if a reason or confirmation follows. */
  label: string
}
const verbs: Verb[] = [
  { type: 'retry', label: 'Retry' },
  { type: 'retry-from', label: 'Retry from here' },
  { type: 'skip', label: 'Skip…' },
  { type: 'done', label: 'Mark done…' },
  { type: 'rollback', label: 'Roll back…' },
]

/** Verbs for a paused workflow, shown at its next action. */
const ofPause: Verb[] = [
  { type: 'resume', label: 'Go on' },
  { type: 'rollback', label: 'Roll back…' },
]

/** Whether an action waits for a decision by a person. */
export const isStopped = ({ status }: Action): boolean => ['failed', 'blocked', 'unknown'].includes(status)
/** Verbs for a stopped action, or for the next action of a paused workflow. The server makes the final check. */
export const verbsOf = (action: Action, held?: Action): Verb[] =>
  isStopped(action) ? verbs : action.id === held?.id ? ofPause : []

/** The next action of a paused workflow. */
export const heldBy = (
  { paused, undo }: { paused: boolean; undo: boolean },
  actions: readonly Action[],
): Action | undefined => {
  const pending = actions.filter(({ status }) => status === 'pending')
  return paused ? (undo ? pending.at(-1) : pending[0]) : undefined
}

/** Actions that wait for a stopped action. */
export const heldUp = (action: Action, all: readonly Action[]): Action[] =>
  isStopped(action)
    ? all.filter(({ position, status }) => position > action.position && ['pending', 'ready'].includes(status))
    : []

/** Right end of an action's line: its duration or status. */
export function timeOf({ status, startedAt, endedAt }: Action, now: Date): string {
  const took = startedAt && lasting((endedAt ? Date.parse(endedAt) : now.getTime()) - Date.parse(startedAt))
  if (status === 'running' || status === 'done') return took ?? stateOf(status).word
  if (status === 'failed' && took) return `Failed after ${took}`
  return stateOf(status).word
}

/** Asks for the confirmation or reason that a verb needs; undefined if the person cancels. */
export async function askFor({ type }: Verb, action: Action, all: readonly Action[]): Promise<string | undefined> {
  if (type === 'retry' || type === 'retry-from' || type === 'resume') return ''
  if (type === 'rollback') {
    const done = all.filter(({ status }) => status === 'done').map(({ title }) => title)
    const answer = await confirm({
      title: `Roll back from ${action.title}?`,
      text: done.length
        ? `This undoes, last first: ${listed(done.reverse())}. ${action.undoLoses ?? ''}`
        : 'Nothing was done yet: the workflow ends.',
      verb: 'Roll back',
      danger: true,
    })
    return answer ? '' : undefined
  }
  const skip = type === 'skip'
  const answer = await confirm({
    title: skip ? `Skip ${action.title}?` : `Mark ${action.title} done?`,
    text: skip
      ? 'The action is skipped and the next one begins.'
      : 'Innkeeper runs nothing for the action: mark it done only if it was done by hand. The next action begins.',
    verb: skip ? 'Skip it' : 'Mark it done',
    reason: { label: 'Reason, for the action log', required: true },
  })
  return answer?.reason
}
