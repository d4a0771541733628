import type { Day } from './days.ts'

const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const noonOf = (day: Day) => new Date(`${day}T12:00:00Z`)

/** `8 Jan 2029`, `1–7 May 2028`, `28 Dec 2026 – 3 Jan 2027`. */
export const daysInWords = (from: Day, to: Day = from): string => form.formatRange(noonOf(from), noonOf(to))
