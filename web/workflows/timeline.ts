import type { Action } from '@innkeeper/contract/workflows'
import { listed } from '../kit/access/reasons.ts'
import { counted } from '../kit/look/format.ts'
import { stateOf } from '../kit/look/stateWords.ts'
import { heldUp } from '../kit/workflow/actions.ts'

/** Of the width, in percent. */
export interface Span {
  from: number
  to: number
}
export interface Bar {
  action: Action
  /** From its turn until somebody took it, and from then on; of its last attempt. */
  waited?: Span
  ran?: Span
  waitedMs: number
  ranMs: number
}
export interface Timeline {
  bars: Bar[]
  /** Where nothing went on, as people were asked: cut out, with how long it was. */
  pauses: { at: number; ms: number }[]
}
interface Times {
  from: number
  started: number
  to: number
}

/** Shorter than this nothing was waited for: the next action's turn comes with the end of the one before. */
const PAUSE_MS = 2000
/** What a pause that is cut out still takes of the width, as a part of all that is left. */
const PAUSE_SHARE = 0.03

/** What each action waited and ran, side by side, from the first to the last or to now. */
export function timelineOf(actions: readonly Action[], now: number): Timeline {
  const known = actions.map((action) => ({ action, times: timesOf(action, now) }))
  const busy = merged(known.flatMap(({ times }) => times ?? []))
  const length = busy.reduce((sum, { from, to }) => sum + to - from, 0) || 1
  const pause = PAUSE_SHARE * length
  const whole = length + pause * Math.max(0, busy.length - 1)
  const at = (moment: number): number => {
    let before = 0
    for (const { from, to } of busy) {
      if (moment <= to) return (100 * (before + Math.max(0, moment - from))) / whole
      before += to - from + pause
    }
    return 100
  }
  return {
    bars: known.map(({ action, times }) => {
      if (!times) return { action, waitedMs: 0, ranMs: 0 }
      const { from, started, to } = times
      return {
        action,
        waitedMs: started - from,
        ranMs: to - started,
        ...(started > from && { waited: { from: at(from), to: at(started) } }),
        ...(to > started && { ran: { from: at(started), to: at(to) } }),
      }
    }),
    pauses: busy.slice(1).map(({ from }, i) => ({ at: at(from), ms: from - (busy[i]?.to ?? from) })),
  }
}

/** When its turn came, when it was taken, when it ended or now; nothing for one whose turn has not come. */
function timesOf({ status, readyAt, startedAt, endedAt }: Action, now: number): Times | undefined {
  const ready = readyAt ? Date.parse(readyAt) : undefined
  const started = startedAt ? Date.parse(startedAt) : undefined
  if (status === 'pending' || status === 'skipped') return undefined
  // its turn has come once more: what it did before is over
  if (status === 'ready') return ready === undefined ? undefined : { from: ready, started: now, to: now }
  if (started === undefined) return undefined
  const from = ready !== undefined && ready < started ? ready : started
  const ended = endedAt && status !== 'running' ? Date.parse(endedAt) : now
  return { from, started, to: Math.max(started, ended) }
}

/** The times in which something waited or ran, in order. */
function merged(times: Times[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && from - last.to <= PAUSE_MS) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  return spans
}

/** An action with what a bar cannot say: "PHP pool, failed, 3 attempts, holds up nginx site and Probe". */
export function lineOf(action: Action, all: readonly Action[]): string {
  const { title, status, attempt, task } = action
  const held = heldUp(action, all).map((one) => one.title)
  return [
    title,
    ...(task === 'undo' ? ['taken back'] : []),
    stateOf(status).word.toLowerCase(),
    ...(attempt > 1 ? [counted(attempt, ['attempt', 'attempts'])] : []),
    ...(held.length ? [`holds up ${listed(held)}`] : []),
  ].join(', ')
}
