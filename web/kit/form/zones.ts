const zones = Intl.supportedValuesOf('timeZone')

/** `Europe/Oslo` for display, with its present offset from UTC. */
export function zoneWord(zone: string, now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(now)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') || '±00:00'
  return `${zone.replaceAll('_', ' ')} (${offset})`
}

/** All time zones that this browser knows, and the stored one. */
export const zoneOptions = (stored: string | null) =>
  [...new Set([...(stored ? [stored] : []), 'UTC', ...zones])].map((zone) => ({
    value: zone,
    label: zones.includes(zone) || zone === 'UTC' ? zoneWord(zone) : zone,
  }))

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
