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

/** The local time of a zone at an instant. */
export const localIn = (instant: string | number, zone: string): Local =>
  clockOf(zone).format(new Date(instant)).replace(' ', 'T')

/**
 * The instant of a local time, by the server's rules: a skipped time moves later by the length of the gap, and of a
 * repeated time the first one counts (RFC 5545).
 */
export function instantOf(local: Local, zone: string): string {
  const shown = Date.parse(`${local}:00Z`)
  const aheadAt = (instant: number) => Date.parse(`${localIn(instant, zone)}:00Z`) - instant
  // the offset of the day before: correct for the first of a repeated time, and moves a skipped time later
  const before = shown - aheadAt(shown - 24 * HOUR)
  const after = shown - aheadAt(shown + 24 * HOUR)
  const isShown = (instant: number) => localIn(instant, zone) === local
  return new Date(isShown(before) || !isShown(after) ? before : after).toISOString()
}

/** Whether the zone's clocks skip this local time or repeat it. */
export function clockChange(local: Local, zone: string): 'skipped' | 'twice' | undefined {
  const first = Date.parse(instantOf(local, zone))
  if (localIn(first, zone) !== local) return 'skipped'
  const isRepeated = [30, 60, 120].some((minutes) => localIn(first + minutes * MINUTE, zone) === local)
  return isRepeated ? 'twice' : undefined
}
