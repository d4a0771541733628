import { addDays, type Day, dayOf, weekdayOf } from '../planning/calendar/days.ts'

const year = new Date().getUTCFullYear() + 1
const firstMonday = Array.from({ length: 7 }, (_, n) => dayOf(year, 7, n + 1)).find((day) => weekdayOf(day) === 1)!

/**
 * A weekday by ISO 8601 (1 is Monday) in a week of the second half of next year; week 0 begins with the first Monday of
 * July. Weeks 0 to 22 have no holiday in Norway, and next year's leaves are open.
 */
export const comingDay = (week: number, weekday: number): Day => addDays(firstMonday, 7 * week + weekday - 1)

const form = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
/** A day as notifications about shifts name it: `Mon 1 Mar`. */
export const dayInWords = (day: Day): string => form.format(new Date(`${day}T00:00:00Z`)).replace(',', '')
