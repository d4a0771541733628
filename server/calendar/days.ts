/** Calendar days as text, `YYYY-MM-DD`: they belong to no zone, and sort as they are. */
export type Day = string

const DAY_MS = 86_400_000
const time = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

export const dayOf = (year: number, month: number, day: number): Day => dayAt(Date.UTC(year, month - 1, day))
export const addDays = (day: Day, days: number): Day => (days === 0 ? day : dayAt(time(day) + days * DAY_MS))
/** 1 is Monday, 7 Sunday, as ISO 8601 counts. */
export const weekdayOf = (day: Day): number => new Date(time(day)).getUTCDay() || 7
export const yearOf = (day: Day): number => Number(day.slice(0, 4))
/** Days of the week that nobody works on at a place: 6 and 7 at most of them, 5 and 6 at some. */
export type Weekend = readonly number[]
export const isWeekend = (day: Day, weekend: Weekend): boolean => weekend.includes(weekdayOf(day))
/** How many days lie between two, both counted. */
export const daysFromTo = (from: Day, to: Day): number => (time(to) - time(from)) / DAY_MS + 1
/** Is there such a day in that year? The 30th of February is not. */
export const exists = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
