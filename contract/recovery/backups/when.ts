import * as z from 'zod'

/** When something repeats, in UTC. `at` gives the minute of an hourly schedule. */
export const when = z.object({
  every: z.enum(['hour', 'day', 'week', 'month']),
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 02:30'),
  /** Monday is 1. */
  weekday: z.int().min(1).max(7).default(1),
  day: z.int().min(1).max(28).default(1),
})
export type When = z.output<typeof when>

/** Hours of the day, in UTC, in which a schedule may start something; past midnight if `to` is before `from`. */
export const hours = z
  .object({ from: when.shape.at, to: when.shape.at })
  .refine(({ from, to }) => from !== to, 'Ends when it begins: leave it empty for the whole day')
export type Hours = z.output<typeof hours>
export const hoursText = ({ from, to }: Hours): string => `from ${from} to ${to} UTC`

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The first start after `now`, delayed by `spread` milliseconds. */
export function nextRun({ every, at, weekday, day }: When, now: Date, spread = 0): Date {
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const from = new Date(now.getTime() - spread)
  const start = new Date(from)
  if (every === 'hour') start.setUTCMinutes(minute, 0, 0)
  else start.setUTCHours(hour, minute, 0, 0)
  if (every === 'month') start.setUTCDate(day)
  if (every === 'week') start.setTime(start.getTime() + ((weekday - 1 - ((start.getUTCDay() + 6) % 7) + 7) % 7) * DAY)
  if (start.getTime() <= from.getTime()) {
    if (every === 'month') start.setUTCMonth(start.getUTCMonth() + 1)
    else start.setTime(start.getTime() + { hour: HOUR, day: DAY, week: 7 * DAY }[every])
  }
  return new Date(start.getTime() + spread)
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export function whenText({ every, at, weekday, day }: When): string {
  if (every === 'hour') return `Every hour at ${at.slice(3)} past`
  if (every === 'day') return `Every day at ${at} UTC`
  if (every === 'week') return `Every ${weekdays[weekday - 1]} at ${at} UTC`
  return `On day ${day} of each month at ${at} UTC`
}
