import type { Action } from '@innkeeper/contract/machines/workflows'
import { listed } from '../../kit/access/reasons.ts'
import { counted } from '../../kit/look/format.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import type { Times } from '../../kit/timeline/spans.ts'
import { heldUp } from '../../kit/workflow/actions.ts'

/** When an action became ready, when an agent claimed it and when it ended; undefined before its turn. */
export function timesOf({ status, readyAt, startedAt, endedAt }: Action, now: number): Times | undefined {
  const ready = readyAt ? Date.parse(readyAt) : undefined
  const started = startedAt ? Date.parse(startedAt) : undefined
  if (status === 'pending' || status === 'skipped') return undefined
  // a retry: the former attempt is over
  if (status === 'ready') return ready === undefined ? undefined : { from: ready, started: now, to: now }
  if (started === undefined) return undefined
  const from = ready !== undefined && ready < started ? ready : started
  const ended = endedAt && status !== 'running' ? Date.parse(endedAt) : now
  return { from, started, to: Math.max(started, ended) }
}

/**
 * An action in words, with details that a bar cannot show: "PHP pool, failed, 3 attempts, holds up nginx site and
 * Probe".
 */
export function lineOf(action: Action, all: readonly Action[]): string {
  const { title, status, attempt, task } = action
  const held = heldUp(action, all).map((one) => one.title)
  return [
    title,
    ...(task === 'undo' ? ['undone'] : []),
    stateOf(status).word.toLowerCase(),
    ...(attempt > 1 ? [counted(attempt, ['attempt', 'attempts'])] : []),
    ...(held.length ? [`holds up ${listed(held)}`] : []),
  ].join(', ')
}
