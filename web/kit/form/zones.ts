const zones = Intl.supportedValuesOf('timeZone')

/** `Europe/Oslo` as people read it, with how far it is from UTC now. */
export function zoneWord(zone: string, now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(now)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') || '±00:00'
  return `${zone.replaceAll('_', ' ')} (${offset})`
}

/** Every zone that this browser can reckon in; the stored one too, whatever it is. */
export const zoneOptions = (stored: string | null) =>
  [...new Set([...(stored ? [stored] : []), 'UTC', ...zones])].map((zone) => ({
    value: zone,
    label: zones.includes(zone) || zone === 'UTC' ? zoneWord(zone) : zone,
  }))

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
