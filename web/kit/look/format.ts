import { dateFormat } from './dateFormat.ts'
import { localeTag } from './locale.ts'
import { kitWords } from './texts.ts'
import { shownZone } from './zone.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** ISO text, a Date, or a number, which is seconds since 1970 (RP9-012). */
export type When = string | number | Date
const toDate = (when: When): Date => new Date(typeof when === 'number' ? when * SECOND : when)

const forms = {
  day: { day: '2-digit', month: '2-digit', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
  long: { day: 'numeric', month: 'short', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  minute: { hour: '2-digit', minute: '2-digit', hour12: false },
  swedish: { dateStyle: 'short', timeStyle: 'medium' },
  year: { year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const made = new Map<string, ReturnType<typeof dateFormat>>()
/** Formats in the person's time zone. Formatters are cached because construction is expensive. */
function write(form: keyof typeof forms, when: When, timeZone = shownZone()): string {
  const key = `${form} ${timeZone}`
  const format = made.get(key) ?? dateFormat(forms[form], timeZone, form === 'swedish' ? 'sv-SE' : undefined)
  made.set(key, format)
  return format.one(toDate(when))
}

const numbers = new Map<string, Intl.NumberFormat>()
/** 12,345 and 1.2 in the person's way of writing. */
export function count(n: number, digits = 3): string {
  const key = `${localeTag()} ${digits}`
  const format = numbers.get(key) ?? new Intl.NumberFormat(localeTag(), { maximumFractionDigits: digits })
  numbers.set(key, format)
  return format.format(n)
}
/** 31/12/2024 */
export const day = (when: When): string => write('day', when)
/** 21 Nov 2026 */
export const longDay = (when: When): string => write('long', when)
/** A day without a time, "21 Nov", in another year "21 Nov 2025": ISO text such as 2026-11-21, in no time zone. */
export function shortDay(iso: string, now: Date = new Date()): string {
  return write(iso.slice(0, 4) === write('year', now) ? 'short' : 'long', `${iso}T12:00:00Z`, 'UTC')
}
/** 14:02:40 */
export const clock = (when: When): string => write('clock', when)
/** 21 Nov 2026 14:02 */
export const moment = (when: When): string => `${write('long', when)} ${write('minute', when)}`

/** 2026-11-21 14:02:40, the format of notifications (RP9-013). */
export const swedish = (when: When): string => write('swedish', when)

/** What is still to come: "30 Nov 02:30", in another year "2 Jan 2027 02:30". */
function ahead(date: Date, now: Date): string {
  return write('year', date) === write('year', now) ? `${write('short', date)} ${write('minute', date)}` : moment(date)
}

/** "just now", "22 min ago", later the same day "14:02:40", then "21 Nov", in another year "21 Nov 2025"; ahead "30 Nov 02:30". */
export function ago(when: When, now: Date = new Date()): string {
  const date = toDate(when)
  const past = now.getTime() - date.getTime()
  if (past < MINUTE) return past < -MINUTE ? ahead(date, now) : kitWords().justNow
  if (past < HOUR) return kitWords().minutesAgo(Math.floor(past / MINUTE))
  // the longest day has 25 hours; comparing durations first spares a list page a hundred formats
  if (past < DAY + HOUR && day(date) === day(now)) return clock(date)
  return write(write('year', date) === write('year', now) ? 'short' : 'long', date)
}

/** A duration in words: "<1 s", "12 s", "3 min 12 s", "5 h 2 min", "61 days". */
export function lasting(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  const part = (unit: number, of = Number.POSITIVE_INFINITY) => Math.floor((ms % of) / unit)
  if (ms < SECOND) return '<1 s'
  if (ms < MINUTE) return `${part(SECOND)} s`
  if (ms < HOUR) return `${part(MINUTE)} min${part(SECOND, MINUTE) ? ` ${part(SECOND, MINUTE)} s` : ''}`
  if (ms < DAY) return `${part(HOUR)} h${part(MINUTE, HOUR) ? ` ${part(MINUTE, HOUR)} min` : ''}`
  return part(DAY) === 1 ? kitWords().oneDay : kitWords().days(count(part(DAY)))
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
/** Bytes with a unit, 1024 to the next: "0 B", "417 MB", "1.2 GB", "14 GB". */
export function bytes(n: number): string {
  let value = n
  let unit = 0
  while (Math.round(value) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit > 0 && value < 9.95 ? count(value, 1) : count(Math.round(value))} ${units[unit]}`
}

/** Megabytes, of which the servers report whole ones: "417 MB", "3.5 GB". */
export const megabytes = (mb: number): string => bytes(mb * 2 ** 20)

/** 1,234.0, always with one digit after the point. */
export function oneTenth(n: number): string {
  const key = `${localeTag()} .0`
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const format = numbers.get(key) ?? new Intl.NumberFormat(localeTag(), options)
  numbers.set(key, format)
  return format.format(n)
}

/** 1,234.5, at most one digit after the point. */
export const tenths = (n: number): string => count(n, 1)

/** "1 website", "3,000 websites" */
export const counted = (n: number, [one, many]: readonly [string, string]): string =>
  `${count(n)} ${n === 1 ? one : many}`
