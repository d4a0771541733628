/** A calendar day as text, `YYYY-MM-DD`, without a time zone. Sorts as text. */
export type Day = string

const DAY_MS = 86_400_000
/** Thousands of leaves and shifts ask for the same few days, and reading a date takes ten times as long as looking it up. */
const MOST = 20_000
const times = new Map<Day, number>()
const days = new Map<number, Day>()

function keep<K, V>(known: Map<K, V>, key: K, value: V): V {
  if (known.size >= MOST) known.clear()
  known.set(key, value)
  return value
}
const time = (day: Day): number => times.get(day) ?? keep(times, day, Date.parse(`${day}T00:00:00Z`))
const dayAt = (ms: number): Day => days.get(ms) ?? keep(days, ms, new Date(ms).toISOString().slice(0, 10))

export const dayOf = (year: number, month: number, day: number): Day => dayAt(Date.UTC(year, month - 1, day))
export const addDays = (day: Day, n: number): Day => (n === 0 ? day : dayAt(time(day) + n * DAY_MS))
/** Day of the week by ISO 8601: 1 is Monday, 7 Sunday. */
// 1 January 1970 was a Thursday
export const weekdayOf = (day: Day): number => ((((time(day) / DAY_MS + 3) % 7) + 7) % 7) + 1
export const yearOf = (day: Day): number => Number(day.slice(0, 4))
/** Days of the week without work: 6 and 7 at most workplaces, 5 and 6 at some. */
export type Weekend = readonly number[]
export const isWeekend = (day: Day, weekend: Weekend): boolean => weekend.includes(weekdayOf(day))
/** Number of days between two days, both inclusive. */
export const daysFromTo = (from: Day, to: Day): number => (time(to) - time(from)) / DAY_MS + 1
/** True if the year has this day: false for 30 February. */
export const exists = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
