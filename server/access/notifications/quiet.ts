/**
 * Whether `now` is within quiet hours. `from` and `to` are times of day in `zone` (default UTC); the range may cross
 * midnight.
 */
export function isQuiet(now: Date, zone: string | null, from: string | null, to: string | null): boolean {
  if (!from || !to) return false
  const time = new Intl.DateTimeFormat('sv-SE', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone ?? 'UTC',
  }).format(now)
  return from < to ? from <= time && time < to : from <= time || time < to
}
