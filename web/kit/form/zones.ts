const zones = Intl.supportedValuesOf('timeZone')

/** `Europe/Oslo` for display, with its offset from UTC at a moment: summer and winter differ. */
export function zoneWord(zone: string, at = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') || '±00:00'
  return `${zone.replaceAll('_', ' ')} (${offset})`
}

/** All time zones that this browser knows, and the stored one. */
export const zoneOptions = (stored: string | null, at?: Date) =>
  [...new Set([...(stored ? [stored] : []), 'UTC', ...zones])].map((zone) => ({
    value: zone,
    label: zones.includes(zone) || zone === 'UTC' ? zoneWord(zone, at) : zone,
  }))

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
