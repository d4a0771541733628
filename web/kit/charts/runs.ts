import { lasting, moment } from '../look/format.ts'
import { stateOf } from '../look/stateWords.ts'

/** One run of a job: a backup, a check, an import. */
export interface Run {
  id: string | number
  /** A status word: `success`, `failed`, `running`. */
  state: string
  at: string
  /** Duration in milliseconds; for a running job, until now. */
  ms: number | null
  /** Path of the run's page. */
  href: string
  /** Additional text: "12 of 14 websites". */
  note?: string
}

/** Minimum height in percent, so that every bar is visible and clickable. */
const LEAST = 18

/** Heights of bars in percent of the longest visible run. */
export function heightsOf(runs: readonly Pick<Run, 'ms'>[]): number[] {
  const longest = Math.max(0, ...runs.map(({ ms }) => ms ?? 0))
  return runs.map(({ ms }) => (longest > 0 ? Math.max(LEAST, (100 * (ms ?? 0)) / longest) : LEAST))
}

/** "Failed, 21 Nov 2026 14:02, 3 min 12 s, 12 of 14 websites". */
export const runWords = ({ state, at, ms, note }: Run): string =>
  [stateOf(state).word, moment(at), ...(ms === null ? [] : [lasting(ms)]), ...(note ? [note] : [])].join(', ')

/** Change since another period, and whether it is an improvement. */
export interface Delta {
  /** "+12 %", "−3 %", "±0 %", "new". */
  text: string
  is: 'better' | 'worse' | 'same'
}

/** `good`: the direction of an improvement. Without it a change is neutral. */
export function deltaOf(now: number, before: number, good?: 'up' | 'down'): Delta {
  const percent = Math.round((100 * (now - before)) / Math.abs(before))
  const is = percent === 0 || !good ? 'same' : now > before === (good === 'up') ? 'better' : 'worse'
  if (before === 0) return now === 0 ? { text: '±0 %', is: 'same' } : { text: 'new', is }
  return { text: `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`, is }
}
