import type { Local } from './dates.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const made = new Map<string, Intl.DateTimeFormat>()
function clockOf(zone: string): Intl.DateTimeFormat {
  const format =
    made.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  made.set(zone, format)
  return format
}

/** What the wall clock of a zone shows at an instant. */
export const localIn = (instant: string | number, zone: string): Local =>
  clockOf(zone).format(new Date(instant)).replace(' ', 'T')

/**
 * The instant of a wall clock, by the rules of the server: a time that the clocks skip is as much later as they jump, of a
 * time that they show twice it is the first (RFC 5545).
 */
export function instantOf(local: Local, zone: string): string {
  const shown = Date.parse(`${local}:00Z`)
  const aheadAt = (instant: number) => Date.parse(`${localIn(instant, zone)}:00Z`) - instant
  // by the clock of the day before: right for the first of two, and later by the jump for what is skipped
  const before = shown - aheadAt(shown - 24 * HOUR)
  const after = shown - aheadAt(shown + 24 * HOUR)
  const isShown = (instant: number) => localIn(instant, zone) === local
  return new Date(isShown(before) || !isShown(after) ? before : after).toISOString()
}

/** Whether the clocks of a zone skip this time, or show it twice. */
export function clockChange(local: Local, zone: string): 'skipped' | 'twice' | undefined {
  const first = Date.parse(instantOf(local, zone))
  if (localIn(first, zone) !== local) return 'skipped'
  const isRepeated = [30, 60, 120].some((minutes) => localIn(first + minutes * MINUTE, zone) === local)
  return isRepeated ? 'twice' : undefined
}
