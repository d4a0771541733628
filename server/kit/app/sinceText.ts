const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The day of an instant in UTC, for a sentence: `4 Nov 2026`. Accepts ISO and PostgreSQL's format. */
export const dayText = (instant: string | Date): string => day.format(new Date(instant))

/** Formats an instant for a sentence: `14:02 UTC`, with the day if it is not today. Accepts the formats of `dayText`. */
export function sinceText(instant: string, now = new Date()): string {
  const time = `${new Date(instant).toISOString().slice(11, 16)} UTC`
  return dayText(instant) === dayText(now) ? time : `${dayText(instant)} ${time}`
}
