import * as z from 'zod'

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]
const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof frequencies)[number]

const numbers = (least: number, most: number) => (text: string) =>
  text.split(',').every((part) => /^-?\d{1,3}$/.test(part) && inRange(Number(part), least, most))
const inRange = (n: number, least: number, most: number) => n !== 0 && n >= least && n <= most
const weekdayList = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU))*$/

/**
 * Allowed parts of a rule and their values. Rules have at most one occurrence per day, so that the date identifies it.
 */
const parts: Record<string, (text: string) => boolean> = {
  FREQ: (text) => frequencies.some((known) => known === text),
  INTERVAL: (text) => /^\d{1,3}$/.test(text) && inRange(Number(text), 1, 400),
  COUNT: (text) => /^\d{1,4}$/.test(text) && inRange(Number(text), 1, 1000),
  UNTIL: (text) => /^\d{8}$/.test(text) && z.iso.date().safeParse(withDashes(text)).success,
  BYDAY: (text) => weekdayList.test(text),
  BYMONTHDAY: numbers(-31, 31),
  BYMONTH: numbers(1, 12),
  BYSETPOS: numbers(-31, 31),
  WKST: (text) => weekdays.some((known) => known === text),
}

/**
 * Parses a rule into its parts; undefined for unsupported rules. The time of `UNTIL` is dropped, because rules count
 * whole days; see `instantOfUntil`.
 */
export function readRule(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
    .split(';')) {
    const [name = '', value = '', ...more] = part.split('=')
    const said = name === 'UNTIL' ? value.replace(/T\d{6}Z?$/, '') : value
    if (more.length || found.has(name) || !Object.hasOwn(parts, name) || !parts[name]?.(said)) return undefined
    found.set(name, said)
  }
  if (!found.has('FREQ') || (found.has('COUNT') && found.has('UNTIL'))) return undefined
  const isByMonth = /^(MONTHLY|YEARLY)$/.test(found.get('FREQ') ?? '')
  if (found.has('BYSETPOS') && !(isByMonth && (found.has('BYDAY') || found.has('BYMONTHDAY')))) return undefined
  // RFC 5545 allows ordinal weekdays ("fifth Tuesday") only for months and years
  if (/\d/.test(found.get('BYDAY') ?? '') && !isByMonth) return undefined
  if (found.has('BYMONTHDAY') && found.get('FREQ') === 'WEEKLY') return undefined
  return found
}

export const writeRule = (rule: ReadonlyMap<string, string>): string =>
  [...rule].map(([name, value]) => `${name}=${value}`).join(';')

/** The last day that a rule allows; undefined without `UNTIL`. */
export function untilOf(rule: ReadonlyMap<string, string>): string | undefined {
  const until = rule.get('UNTIL')
  return until && withDashes(until)
}
const withDashes = (text: string) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`

/** The instant of an `UNTIL` in UTC, whose day depends on the time zone of the event; undefined for other rules. */
export function instantOfUntil(text: string): string | undefined {
  const [, day = '', hours, minutes, seconds] = /UNTIL=(\d{8})T(\d\d)(\d\d)(\d\d)Z/i.exec(text) ?? []
  const instant = `${withDashes(day)}T${hours}:${minutes}:${seconds}Z`
  return hours !== undefined && z.iso.datetime().safeParse(instant).success ? instant : undefined
}

/** The rule in one form. An `UNTIL` in UTC keeps its time for the server, which knows the time zone. */
function inOneForm(text: string): string {
  const rule = readRule(text) ?? new Map<string, string>()
  const instant = instantOfUntil(text)
  if (instant) rule.set('UNTIL', instant.replace(/[-:]/g, ''))
  return writeRule(rule)
}

/** A repetition rule of RFC 5545 by days: `FREQ=WEEKLY;BYDAY=MO,WE`. Without `COUNT` or `UNTIL` it never ends. */
export const rrule = z
  .string()
  .trim()
  .max(300)
  .refine((text) => readRule(text) !== undefined, 'A rule by days, such as FREQ=WEEKLY;BYDAY=MO,WE')
  .transform(inOneForm)
