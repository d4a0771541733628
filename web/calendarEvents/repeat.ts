import { type Frequency, readRule, untilOf, type Weekday } from '@innkeeper/contract/calendarEvents/rrule'
import { listed } from '../kit/access/reasons.ts'
import { dayText } from '../kit/calendar/days.ts'
import { weekdayChoices } from './words.ts'

const codes: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const units: Record<Frequency, readonly [one: string, many: string]> = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
  YEARLY: ['year', 'years'],
}
const nth = ['', 'first', 'second', 'third', 'fourth', 'fifth']

/** What a form can say of a rule; a rule that says more is typed as it is. */
export interface Repeat {
  freq: Frequency
  interval: string
  /** Of a week. */
  weekdays: Weekday[]
  /** Of a month: the same day of the month, the same weekday counted from its start, or its last such weekday. */
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

/** The rule that a form says, for something that begins on `day`. */
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

/** What a form shows of a rule; undefined where it says more than the form can. */
export function repeatOf(rrule: string, day: string): Repeat | undefined {
  const rule = readRule(rrule)
  if (!rule) return undefined
  const freq = rule.get('FREQ') as Frequency // readRule lets no other through
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

/** "Every 2 weeks on Monday and Friday, until 24 Dec 2026"; a rule that has no such words stands as it is. */
export function repeatText(rrule: string): string {
  const rule = readRule(rrule)
  const known = ['FREQ', 'INTERVAL', 'BYDAY', 'UNTIL', 'COUNT', 'WKST']
  if (!rule || [...rule.keys()].some((name) => !known.includes(name))) return rrule
  const [one, many] = units[rule.get('FREQ') as Frequency] // readRule lets no other through
  const interval = rule.get('INTERVAL') ?? '1'
  const days = rule.get('BYDAY')?.split(',').map(dayWords)
  const until = untilOf(rule)
  const count = rule.get('COUNT')
  const end = until ? `, until ${dayText(until, 'short')} ${until.slice(0, 4)}` : count ? `, ${count} times` : ''
  return `Every ${interval === '1' ? one : `${interval} ${many}`}${days ? ` on ${listed(days)}` : ''}${end}`
}

function dayWords(code: string): string {
  const name = weekdayChoices[codes.indexOf(code.slice(-2) as Weekday)]?.label ?? code // of readRule
  const n = Number.parseInt(code, 10)
  if (!n) return name
  return n === -1 ? `the last ${name}` : n < 0 ? `the ${nth[-n]} ${name} from the end` : `the ${nth[n]} ${name}`
}
