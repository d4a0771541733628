import { readRule, untilOf, writeRule } from '@innkeeper/contract/calendarEvents/rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { addDays, type Day } from '../calendar/days.ts'
import { remember } from '../kit/app/remember.ts'

/** What repeats: a rule of RFC 5545 by days, from a day on. */
export interface Repetition {
  rrule: string
  startLocal: string
  /** Days that are left out. */
  exDates: readonly Day[]
}

/** The last day that anything is reckoned for. */
export const LAST_DAY: Day = '2099-12-31'
/** More than there are days from the first that a repetition can begin on to the last: the library stops there with an error. */
const MOST_STEPS = 40_000

/** By days, of which there may be thousands in one answer. */
const answers = remember<readonly Day[]>(300_000, (days) => days.length + 1)

/**
 * The days that a rule gives from one day to another, both counted. A rule without an end costs only the days that were
 * asked for; the library takes half a millisecond for a year of weeks, so what it says is remembered.
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

/** Days are found as such, in UTC and at noon, where no clock changes; the wall clock is put to them afterwards. */
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

/** Those of its days that it is held on. */
export function heldDays(repetition: Repetition, from: Day, to: Day): readonly Day[] {
  const days = ruleDays(repetition, from, to)
  if (!repetition.exDates.length) return days
  const left = new Set(repetition.exDates)
  return days.filter((day) => !left.has(day))
}

/** How far is looked at once, in days: most rules give their next days within weeks, and what is rare gives few in a century. */
const STEPS = [40, 366, 10 * 366, 100 * 366]

/** The first days that it is held on from a day on, for as long as days are reckoned. */
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

/** The last day that a rule can give: where it says so, or the last of its count. Empty where it gives none at all. */
function lastDayOf({ rrule, startLocal }: Repetition): Day {
  return lastDays(`${startLocal} ${rrule}`, () => {
    const rule = readRule(rrule) ?? new Map<string, string>()
    if (rule.has('COUNT')) return ruleDays({ rrule, startLocal }, startLocal.slice(0, 10), LAST_DAY).at(-1) ?? ''
    const until = untilOf(rule)
    return until && until < LAST_DAY ? until : LAST_DAY
  })
}

/** Does it ever happen? `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30` does not. */
export const everHeld = (repetition: Repetition): boolean =>
  nextDays(repetition, repetition.startLocal.slice(0, 10), 1).length > 0

/** A rule in two: what it gives before a day, and what from that day on, as many times as are left of its count. */
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
