import { addDays, type Day, monthEnd, weekdayOf } from '../calendar/days.ts'
import { dateFormat } from '../look/dateFormat.ts'
import { type Cron, readCron } from './cron.ts'
import { instantOf, localIn } from './wallClock.ts'

/** When something runs: a cron expression on the wall clock of a zone. */
export interface Schedule {
  cron: string
  timeZone: string
}

/** A schedule as the field offers it; other expressions are a `rule`. */
export type Choice =
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string }
  | { every: 'week'; time: string; weekdays: number[] }
  | { every: 'month'; time: string; day: number | 'last' }
  | { every: 'rule' }

const two = (n: number) => String(n).padStart(2, '0')

export function cronOf(choice: Exclude<Choice, { every: 'rule' }>): string {
  if (choice.every === 'hour') return `${choice.minute} * * * *`
  const [hour = 0, minute = 0] = choice.time.split(':').map(Number)
  if (choice.every === 'day') return `${minute} ${hour} * * *`
  if (choice.every === 'month') return `${minute} ${hour} ${choice.day === 'last' ? 'L' : choice.day} * *`
  return `${minute} ${hour} * * ${choice.weekdays.toSorted((a, b) => a - b).join(',')}`
}

/** The field's choice for an expression. */
export function choiceOf(text: string): Choice {
  const cron = readCron(text)
  const [minute, day] = [cron?.minutes[0], cron?.days[0]]
  if (!cron || minute === undefined || cron.minutes.length > 1 || cron.months.length < 12) return { every: 'rule' }
  const anyDay = cron.days.length === 31
  const anyWeekday = cron.weekdays.length === 7
  if (cron.hours.length === 24 && anyDay && anyWeekday) return { every: 'hour', minute }
  if (cron.hours.length > 1 || day === undefined) return { every: 'rule' }
  const time = `${two(cron.hours[0] ?? 0)}:${two(minute)}`
  if (anyDay) return anyWeekday ? { every: 'day', time } : { every: 'week', time, weekdays: cron.weekdays }
  return anyWeekday && cron.days.length === 1 ? { every: 'month', time, day } : { every: 'rule' }
}

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const nameOf = (weekday: number) => weekdayNames[weekday - 1] ?? ''
const and = (words: string[]) => [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')

/** "Every Monday and Thursday at 02:30"; undefined for an invalid expression. */
export function sentenceOf(text: string): string | undefined {
  const cron = readCron(text)
  if (!cron) return undefined
  const choice = choiceOf(text)
  if (choice.every === 'hour') return `Every hour at ${two(choice.minute)} minutes past`
  if (choice.every === 'day') return `Every day at ${choice.time}`
  if (choice.every === 'week') return `${weekdaysText(choice.weekdays)} at ${choice.time}`
  if (choice.every === 'month')
    return choice.day === 'last'
      ? `On the last day of each month at ${choice.time}`
      : `On day ${choice.day} of each month at ${choice.time}${choice.day > 28 ? '; months without it are left out' : ''}`
  return ruleText(cron)
}

function weekdaysText(weekdays: number[]): string {
  const key = weekdays.join('')
  if (key === '12345') return 'Monday to Friday'
  return key === '67' ? 'Every weekend day' : `Every ${and(weekdays.map(nameOf))}`
}

function ruleText(cron: Cron): string {
  const { minutes, hours, days, months, weekdays, either } = cron
  const step = (minutes[1] ?? 60) - (minutes[0] ?? 0)
  const isStepped = minutes.length > 1 && minutes[0] === 0 && minutes.length === 60 / step
  const times = hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`))
  const time = isStepped
    ? `every ${step === 1 ? 'minute' : `${step} minutes`}${hours.length === 24 ? '' : ` in the hours ${and(hours.map(two))}`}`
    : times.length <= 6
      ? `at ${and(times)}`
      : `at the minutes ${and(minutes.map(two))} of the hours ${and(hours.map(two))}`
  const onDays = days.length < 31 ? `on day ${and(days.map(String))}` : ''
  const onWeekdays = weekdays.length < 7 ? `on ${and(weekdays.map(nameOf))}` : ''
  const when = [onDays, onWeekdays].filter(Boolean).join(either ? ' or ' : ', if it falls ')
  const names = months.map((month) => monthName.one(Date.UTC(2026, month - 1, 2)))
  const sentence = [time, when, months.length < 12 ? `in ${and(names)}` : ''].filter(Boolean).join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const isOn = (cron: Cron, day: Day): boolean => {
  const number = Number(day.slice(8))
  const inMonth = cron.days.includes(number) || (cron.days.includes('last') && day === monthEnd(day))
  const inWeek = cron.weekdays.includes(weekdayOf(day))
  return cron.months.includes(Number(day.slice(5, 7))) && (cron.either ? inMonth || inWeek : inMonth && inWeek)
}

/** 29 February recurs within eight years. */
const FURTHEST = 8 * 366 + 1

/** The next runs after an instant; fewer than `count` if the expression has no more within eight years. */
export function nextRuns({ cron: text, timeZone }: Schedule, after: Date, count: number): string[] {
  const cron = readCron(text)
  if (!cron) return []
  const runs = new Set<string>()
  let day = localIn(after.getTime(), timeZone).slice(0, 10)
  for (let n = 0; n < FURTHEST && runs.size < count; n++, day = addDays(day, 1)) {
    if (!isOn(cron, day)) continue
    for (const hour of cron.hours) {
      if (runs.size >= count) break
      for (const minute of cron.minutes) {
        const run = instantOf(`${day}T${two(hour)}:${two(minute)}`, timeZone)
        if (Date.parse(run) > after.getTime()) runs.add(run)
      }
    }
  }
  return [...runs].sort().slice(0, count)
}

const monthName = dateFormat({ month: 'long' })
