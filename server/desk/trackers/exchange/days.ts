import type { DayOrder } from '@innkeeper/contract/desk/trackers/values'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/**
 * Formats of days in trackers: 2026-12-31, 31.12.2026, 31/Dec/26, 31 December 2026, Dec 31, 2026; a time may follow.
 */
const forms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?<rest>(?:[T ].*)?)$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?<rest>(?: .*)?)$/,
  /^(?<day>\d{1,2})[/ -](?<month>[a-z]{3,9})\.?,?[/ -](?<year>\d{4}|\d{2})(?<rest>(?: .*)?)$/i,
  /^(?:[a-z]{3},? )?(?<month>[a-z]{3,9}) (?<day>\d{1,2}),? (?<year>\d{4})(?<rest>(?:,? .*)?)$/i,
]
/** 03/04/2026, which needs an order. */
const slashes = /^(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4}|\d{2})(?<rest>(?:,? .*)?)$/

/** The order of day and month in days such as 12/31/2026; undefined if none of the days tells, or if they contradict each other. */
export function dayOrderOf(texts: Iterable<string>): DayOrder | undefined {
  const told = new Set<DayOrder>()
  for (const text of texts) {
    const { first, second } = slashes.exec(text.trim())?.groups ?? {}
    if (Number(first) > 12) told.add('day-first')
    if (Number(second) > 12) told.add('month-first')
  }
  return told.size === 1 ? [...told][0] : undefined
}

/** Whether a text is a day only with a known order. */
export const needsOrder = (text: string): boolean => slashes.test(text.trim())

const two = (n: number) => String(n).padStart(2, '0')

/**
 * Parses a day independently of the server's time zone. Undefined for other text, for days that do not exist, and without an
 * order for 03/04/2026, which is ambiguous between March and April.
 */
function read(text: string, order?: DayOrder): { day: string; rest: string } | undefined {
  for (const form of [...forms, ...(order ? [slashes] : [])]) {
    const found = form.exec(text.trim())?.groups
    if (!found) continue
    const { year = '', first = '', second = '', rest = '' } = found
    const { day = order === 'day-first' ? first : second, month = order === 'day-first' ? second : first } = found
    const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1
    const y = Number(year) + (year.length === 2 ? 2000 : 0)
    const [m, d] = [/^\d/.test(month) ? Number(month) : named, Number(day)]
    const at = new Date(Date.UTC(y, m - 1, d))
    if (at.getUTCMonth() !== m - 1 || at.getUTCDate() !== d) return undefined
    return { day: `${y}-${two(m)}-${two(d)}`, rest: rest.replace(/^[T, ]+/, '') }
  }
  return undefined
}

export const dayOf = (text: string, order?: DayOrder): string | undefined => read(text, order)?.day

const clock =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(am|pm)?\s*(?:z|(?:utc|gmt)?(?:([+-])(\d{2}):?(\d{2}))?(?: \([^()]{1,60}\))?)?$/i

/** Parses an instant. A time without a zone is UTC; an unreadable time counts as the start of the day. */
export function instantOf(text: string, order?: DayOrder): string | undefined {
  const found = read(text, order)
  if (!found) return undefined
  const [, hour, minute, second = '0', half, sign, zoneHours, zoneMinutes] = clock.exec(found.rest) ?? []
  const start = Date.parse(`${found.day}T00:00:00Z`)
  if (hour === undefined) return new Date(start).toISOString()
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour)
  const zone = sign ? (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) : 0
  return new Date(start + ((hours * 60 + Number(minute) - zone) * 60 + Number(second)) * 1000).toISOString()
}
