import { type Frequency, readRule, untilOf, type Weekday } from '@innkeeper/contract/planning/calendarEvents/rrule'
import { listed } from '../../../kit/access/reasons.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { weekdayChoices } from '../words.ts'

const codes: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const units: Record<Frequency, readonly [one: string, many: string]> = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
  YEARLY: ['year', 'years'],
}
const nth = ['', 'first', 'second', 'third', 'fourth', 'fifth']

/** The repetition rules that the form supports; other rules are typed as text. */
export interface Repeat {
  freq: Frequency
  interval: string
  /** For weekly rules. */
  weekdays: Weekday[]
  /**
   * For monthly rules: the same day of the month, the same weekday counted from the start, or the last such weekday.
   */
  monthly: 'day' | 'nth' | 'last'
  ends: 'never' | 'until' | 'count'
  until: string
  count: string
}

export const newRepeat: Repeat = {
  freq: 'WEEKLY',
  interval: '1',
  weekdays: [],
  monthly: 'day',
  ends: 'never',
  until: '',
  count: '10',
}

export const weekdayCodes = codes.map((value, n) => ({ value, label: weekdayChoices[n]?.label.slice(0, 3) ?? value }))
export const frequencies = Object.entries(units).map(([value, [, many]]) => ({ value, label: many }))

const codeOf = (day: string): Weekday => codes[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'
const weekOf = (day: string): number => Math.ceil(Number(day.slice(8, 10)) / 7)

/** Rule of the form's choices for an event that starts on `day`. */
export function ruleOf(repeat: Repeat, day: string): string {
  const { freq, interval, weekdays, monthly, ends, until, count } = repeat
  const parts = [`FREQ=${freq}`]
  if (interval !== '1') parts.push(`INTERVAL=${interval}`)
  if (freq === 'WEEKLY' && weekdays.length)
    parts.push(`BYDAY=${codes.filter((code) => weekdays.includes(code)).join(',')}`)
  if (freq === 'MONTHLY' && monthly === 'nth') parts.push(`BYDAY=${weekOf(day)}${codeOf(day)}`)
  if (freq === 'MONTHLY' && monthly === 'last') parts.push(`BYDAY=-1${codeOf(day)}`)
  if (ends === 'until' && until) parts.push(`UNTIL=${until.replaceAll('-', '')}`)
  if (ends === 'count') parts.push(`COUNT=${count}`)
  return parts.join(';')
}

/** Choices of the form for a rule; undefined for a rule that the form does not support. */
export function repeatOf(rrule: string, day: string): Repeat | undefined {
  const rule = readRule(rrule)
  if (!rule) return undefined
  const freq = rule.get('FREQ') as Frequency // readRule rejects other values
  const byDay = rule.get('BYDAY')
  const until = untilOf(rule)
  const count = rule.get('COUNT')
  const found: Repeat = {
    freq,
    interval: rule.get('INTERVAL') ?? '1',
    weekdays: freq === 'WEEKLY' ? codes.filter((code) => byDay?.split(',').includes(code)) : [],
    monthly: !byDay || freq !== 'MONTHLY' ? 'day' : byDay.startsWith('-1') ? 'last' : 'nth',
    ends: until ? 'until' : count ? 'count' : 'never',
    until: until ?? '',
    count: count ?? newRepeat.count,
  }
  const same = readRule(ruleOf(found, day))
  const isSame =
    same && [...rule].every(([name, value]) => same.get(name) === value || (name === 'INTERVAL' && value === '1'))
  return isSame && same.size >= rule.size - (rule.get('INTERVAL') === '1' ? 1 : 0) ? found : undefined
}

/** A rule in words, "Every 2 weeks on Monday and Friday, until 24 Dec 2026"; an unsupported rule unchanged. */
export function repeatText(rrule: string): string {
  const rule = readRule(rrule)
  const known = ['FREQ', 'INTERVAL', 'BYDAY', 'UNTIL', 'COUNT', 'WKST', 'BYSETPOS']
  if (!rule || [...rule.keys()].some((name) => !known.includes(name))) return rrule
  const [one, many] = units[rule.get('FREQ') as Frequency] // readRule rejects other values
  const interval = rule.get('INTERVAL') ?? '1'
  const days = daysOf(rule.get('BYDAY'), rule.get('BYSETPOS'))
  if (!days) return rrule
  const until = untilOf(rule)
  const count = rule.get('COUNT')
  const end = until ? `, until ${dayText(until, 'short')} ${until.slice(0, 4)}` : count ? `, ${count} times` : ''
  return `Every ${interval === '1' ? one : `${interval} ${many}`}${days.length ? ` on ${listed(days)}` : ''}${end}`
}

const WORKDAYS = 'MO,TU,WE,TH,FR'

/** The days of a rule in words; `at` picks one of them: "the last weekday". Undefined if no words describe them. */
function daysOf(byDay: string | undefined, at: string | undefined): string[] | undefined {
  const days = byDay?.split(',').map(dayWords) ?? []
  if (!at) return days
  if (!byDay || !/^(-1|[1-5])$/.test(at)) return undefined
  const what = byDay === WORKDAYS ? 'weekday, Monday to Friday' : `of ${listed(days)}`
  return [`the ${at === '-1' ? 'last' : nth[Number(at)]} ${what}`]
}

function dayWords(code: string): string {
  const name = weekdayChoices[codes.indexOf(code.slice(-2) as Weekday)]?.label ?? code // validated by readRule
  const n = Number.parseInt(code, 10)
  if (!n) return name
  return n === -1 ? `the last ${name}` : n < 0 ? `the ${nth[-n]} ${name} from the end` : `the ${nth[n]} ${name}`
}
