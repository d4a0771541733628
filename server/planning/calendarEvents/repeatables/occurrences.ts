import { instantOfUntil, readRule, untilOf, writeRule } from '@innkeeper/contract/planning/calendarEvents/rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { remember } from '../../../kit/app/remember.ts'
import { addDays, type Day } from '../../calendar/days.ts'
import { localOf } from '../../calendar/times.ts'

/** A repetition: an RFC 5545 rule that gives days, with a first day. */
export interface Repetition {
  rrule: string
  startLocal: string
  /** Excluded days. */
  exDates: readonly Day[]
}

/** Last day for which occurrences are calculated. */
const LAST_DAY: Day = '2099-12-31'
/** Iteration limit, above the number of days until LAST_DAY. The library throws at the limit. */
const MOST_STEPS = 40_000

/** Cache, limited by the number of days, because one entry may have thousands. */
const answers = remember<readonly Day[]>(300_000, (days) => days.length + 1)

/**
 * Days of a rule in a range, both ends inclusive. Only the requested range is calculated. Cached, because the library
 * takes half a millisecond for a year of a weekly rule.
 */
export function ruleDays(
  { rrule, startLocal }: Pick<Repetition, 'rrule' | 'startLocal'>,
  from: Day,
  to: Day,
): readonly Day[] {
  const first = startLocal.slice(0, 10)
  if (to < first || to < from) return []
  return answers(`${first} ${from} ${to} ${rrule}`, () => reckon(rrule, first, from, to))
}

/** Calculates days at noon UTC, so that no clock change matters; callers add the local time. */
function reckon(rrule: string, first: Day, from: Day, to: Day): Day[] {
  const start = `${first.replaceAll('-', '')}T120000Z`
  const rule = new RRuleTemporal({
    rruleString: `DTSTART:${start}\nRRULE:${rrule.replace(/UNTIL=(\d{8})/, 'UNTIL=$1T235959Z')}`,
    maxIterations: MOST_STEPS,
  })
  const begin = from < first ? first : from
  return rule
    .between(new Date(`${begin}T00:00:00Z`), new Date(`${to}T23:59:59Z`), true)
    .map((time) => time.toString().slice(0, 10))
}

/** Days of a repetition without its excluded days. */
export function heldDays(repetition: Repetition, from: Day, to: Day): readonly Day[] {
  const days = ruleDays(repetition, from, to)
  if (!repetition.exDates.length) return days
  const left = new Set(repetition.exDates)
  return days.filter((day) => !left.has(day))
}

/** Search ranges in days: most rules have their next days within weeks, rare ones only a few in a century. */
const STEPS = [40, 366, 10 * 366, 100 * 366]

/** The next `count` days of a repetition from a day on, up to LAST_DAY. */
export function nextDays(repetition: Repetition, from: Day, count: number): Day[] {
  const first = repetition.startLocal.slice(0, 10)
  const last = lastDayOf(repetition)
  const found: Day[] = []
  let begin = from < first ? first : from
  for (const step of STEPS) {
    if (begin > last || found.length >= count) break
    const end = addDays(begin, step)
    found.push(...heldDays(repetition, begin, end < last ? end : last))
    begin = addDays(end, 1)
  }
  return found.slice(0, count)
}

const lastDays = remember<Day>(20_000)

/**
 * A rule by days. An `UNTIL` in UTC becomes the last day on which the event begins at that instant or before, in its
 * time zone.
 */
export function byDays(rrule: string, startLocal: string, timeZone: string): string {
  const instant = instantOfUntil(rrule)
  const rule = readRule(rrule)
  if (!instant || !rule) return rrule
  const [day = '', time = ''] = localOf(new Date(instant).toISOString(), timeZone).split('T')
  const last = time < startLocal.slice(11) ? addDays(day, -1) : day
  return writeRule(rule.set('UNTIL', last.replaceAll('-', '')))
}

/** Last day of a rule, from its UNTIL or COUNT, at most LAST_DAY. Empty if the rule gives no day. */
function lastDayOf({ rrule, startLocal }: Repetition): Day {
  return lastDays(`${startLocal} ${rrule}`, () => {
    const rule = readRule(rrule) ?? new Map<string, string>()
    if (rule.has('COUNT')) return ruleDays({ rrule, startLocal }, startLocal.slice(0, 10), LAST_DAY).at(-1) ?? ''
    const until = untilOf(rule)
    return until && until < LAST_DAY ? until : LAST_DAY
  })
}

/** True if the repetition has at least one day: false for `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30`. */
export const everHeld = (repetition: Repetition): boolean =>
  nextDays(repetition, repetition.startLocal.slice(0, 10), 1).length > 0

/** Splits a rule at a day. The second rule gets the rest of the COUNT. */
export function splitRule(repetition: Repetition, day: Day): { before: string; after: string } {
  const rule = readRule(repetition.rrule) ?? new Map<string, string>()
  const before = new Map([...rule].filter(([name]) => name !== 'COUNT' && name !== 'UNTIL'))
  before.set('UNTIL', addDays(day, -1).replaceAll('-', ''))
  const after = new Map(rule)
  const count = rule.get('COUNT')
  if (count) {
    const passed = ruleDays(repetition, repetition.startLocal.slice(0, 10), addDays(day, -1)).length
    after.set('COUNT', String(Number(count) - passed))
  }
  return { before: writeRule(before), after: writeRule(after) }
}
