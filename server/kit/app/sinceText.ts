/**
 * Formats an instant for a sentence: `14:02 UTC`, with the date if it is not today. Accepts ISO and PostgreSQL's
 * format.
 */
export function sinceText(instant: string, now = new Date()): string {
  const iso = new Date(instant).toISOString()
  const time = `${iso.slice(11, 16)} UTC`
  return iso.slice(0, 10) === now.toISOString().slice(0, 10) ? time : `${iso.slice(0, 10)} ${time}`
}
