import { addDays, type Day, dayText, readDay } from '../calendar/days.ts'
import { dateFormat } from '../look/dateFormat.ts'

/** Local time without a zone: `2026-11-21T14:02`. */
export type Local = string

/** 21 Nov 2026 */
export const writeDay = (day: string): string => (readDay(day) ? `${dayText(day, 'short')} ${day.slice(0, 4)}` : day)
/** 21 Nov 2026 14:02 */
export const writeLocal = (local: string): string =>
  isLocal(local) ? `${writeDay(local.slice(0, 10))} ${local.slice(11)}` : local

const isLocal = (text: string): boolean =>
  readDay(text.slice(0, 10)) !== undefined && /^T([01]\d|2[0-3]):[0-5]\d$/.test(text.slice(10))

const inEnglish = dateFormat({ month: 'long' }, 'UTC', 'en-GB')
const MONTHS = Array.from({ length: 12 }, (_, month) => inEnglish.one(Date.UTC(2026, month)).toLowerCase())
const NAMED = /^(\d{1,2})\.?\s*(\p{L}{3,12})\.?,?\s*(\d{4})$/u
const MONTH_FIRST = /^(\p{L}{3,12})\.?\s*(\d{1,2}),?\s+(\d{4})$/u
const NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/

/** Parses a complete typed day: "21 Nov 2026", "21/11/2026" (day first), "2026-11-21". */
export function readTypedDay(text: string): Day | undefined {
  const plain = text.trim().toLowerCase()
  const [, isoYear, isoMonth, isoDay] = ISO.exec(plain) ?? []
  if (isoYear) return dayOf(isoYear, Number(isoMonth), isoDay)
  const [, date, month, year] = NUMBERS.exec(plain) ?? []
  if (year) return dayOf(year, Number(month), date)
  const [, first, name, last] = NAMED.exec(plain) ?? []
  if (last) return dayOf(last, monthNamed(name), first)
  const [, word, number, after] = MONTH_FIRST.exec(plain) ?? []
  return after ? dayOf(after, monthNamed(word), number) : undefined
}

/** Completes a partial day from `today`: "tomorrow", "+7", "21 Nov", "21/11", "21". */
export function guessDay(text: string, today: Day): Day | undefined {
  const plain = text.trim().toLowerCase()
  const near = { yesterday: -1, today: 0, tomorrow: 1 }[plain]
  if (near !== undefined) return addDays(today, near)
  if (/^[+-]\d{1,4}$/.test(plain)) return readDay(addDays(today, Number(plain)))
  const [year = '', month = ''] = today.split('-')
  if (/^\d{1,2}\.?$/.test(plain)) return dayOf(year, Number(month), plain.replace('.', ''))
  return readTypedDay(plain) ?? readTypedDay(`${plain} ${year}`) ?? readTypedDay(`${plain.replace(/\.$/, '')}/${year}`)
}

/** The month that begins with this word, in English or in the person's language; 0 for another word. */
const monthNamed = (name = ''): number =>
  MONTHS.findIndex((full, at) => [full, ownName(at)].some((one) => one.startsWith(name))) + 1
const ownName = (at: number) =>
  dayText(`2026-${two(at + 1)}-01`, 'month')
    .split(' ')[0]
    ?.toLowerCase() ?? ''
const two = (n: number | string) => String(n).padStart(2, '0')
const dayOf = (year: string, month: number, date = '') => readDay(`${year}-${two(month)}-${two(date)}`)

const CLOCK = /^(\d{1,2})[:.](\d{2})(?::\d{2})?\s*([ap]m)?$/
const HOUR = /^(\d{1,2})\s*([ap]m)?$/

/** Parses a complete time: "14:02", "9.05", "2:02 pm". */
export function readTime(text: string): string | undefined {
  const [, hour, minute, half] = CLOCK.exec(text.trim().toLowerCase()) ?? []
  return hour ? clock(Number(hour), Number(minute), half) : undefined
}

/** Completes a time without minutes, "14" or "2 pm", or without a colon: "1402". */
export function guessTime(text: string): string | undefined {
  const plain = text.trim().toLowerCase()
  const [, hour, half] = HOUR.exec(plain) ?? []
  if (hour) return clock(Number(hour), 0, half)
  return readTime(plain) ?? (/^\d{3,4}$/.test(plain) ? readTime(plain.replace(/(\d\d)$/, ':$1')) : undefined)
}

function clock(hour: number, minute: number, half?: string): string | undefined {
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour < 1)) return undefined
  return `${two(half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour)}:${two(minute)}`
}

/** Splits "21 Nov 2026, 14:02" and "2026-11-21T14:02:40" at the time. */
const parts = (text: string): string[] =>
  /^(.+?)(?:, ?| |(?<=\d)t)([\d:.]+ ?(?:[ap]m)?)$/i.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? []

/** Parses a complete day and time. */
export function readTypedLocal(text: string): Local | undefined {
  const [, date = '', time = ''] = parts(text)
  return join(readTypedDay(date), readTime(time))
}

/** Completes a partial day and time: a time alone means `today`, a day alone means `usual`. */
export function guessLocal(text: string, today: Day, usual: string): Local | undefined {
  const [, date = '', time = ''] = parts(text)
  return (
    join(guessDay(text, today), usual) ?? join(guessDay(date, today), guessTime(time)) ?? join(today, readTime(text))
  )
}

const join = (day: Day | undefined, time: string | undefined) => (day && time ? `${day}T${time}` : undefined)
