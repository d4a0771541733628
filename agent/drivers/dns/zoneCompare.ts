import type { Driver } from '../../kit/driver.ts'
import { digestOf, findZone, type KeptZone, linesOf } from './powerdnsZone.ts'
import { isCopy, isPresigned, keysOf, mastersOf } from './zoneKeys.ts'

/** How the role or the keys of a zone differ on this name server. Null: both are correct, or the caller asked for neither. */
async function faultOf(
  zone: KeptZone,
  from: string | null | undefined,
  dnskeys: readonly string[] | undefined,
): Promise<string | null> {
  if (from === null && isCopy(zone)) return `is a copy from ${mastersOf(zone)}, and should be the primary`
  if (from && !isCopy(zone)) return `is a primary, and should be a copy from ${from}`
  if (from && mastersOf(zone) !== from) return `is a copy from ${mastersOf(zone)}, and should be one from ${from}`
  if (from === undefined || dnskeys === undefined) return null
  if (!dnskeys.length) return zone.dnssec ? 'is signed, and should not be' : null
  if (!zone.dnssec) return 'is not signed'
  const keys = await keysOf(zone.name.slice(0, -1))
  if (from) {
    if (keys.length) return 'signs with keys of its own'
    return (await isPresigned(zone.name.slice(0, -1))) ? null : 'is not marked PRESIGNED'
  }
  if (await isPresigned(zone.name.slice(0, -1))) return 'answers copied signatures instead of its own'
  const there = keys.map(({ dnskey }) => dnskey).sort()
  return there.join() === [...dnskeys].sort().join() ? null : 'signs with other keys'
}

/** Zones that are read at once; the API has several threads. */
const AT_ONCE = 6

/** Reports the zones that differ from the control plane's. Changes nothing. */
export const compareZones: Driver<'dns-zones.compare'> = {
  async run({ input: { zones, absent, from }, say }) {
    const differing: { domain: string; serial: number | null; digest: string | null; fault: string | null }[] = []
    const present: string[] = []
    const left: { domain: string; serial?: number; digest?: string; dnskeys?: string[] | undefined }[] = [
      ...zones,
      ...absent.map((domain) => ({ domain })),
    ].reverse()
    const work = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const { domain, serial, digest, dnskeys } = next
        const zone = await findZone(domain, serial !== undefined)
        if (serial === undefined) {
          if (zone) present.push(domain)
          continue
        }
        const found = zone ? digestOf(linesOf(zone)) : null
        const fault = zone ? await faultOf(zone, from, dnskeys) : null
        if (zone?.serial !== serial || found !== digest || fault !== null)
          differing.push({ domain, serial: zone?.serial ?? null, digest: found, fault })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    say(`${zones.length} zones read, ${differing.length} differ, ${present.length} should not be here`)
    return { differing: differing.sort((a, b) => a.domain.localeCompare(b.domain)), present: present.sort() }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** The records of a zone on this name server, and whether its role and keys are right. */
export const readZone: Driver<'dns-zone.read'> = {
  async run({ input: { domain, from, dnskeys } }) {
    const zone = await findZone(domain, true)
    const fault = zone ? await faultOf(zone, from, dnskeys) : null
    return { serial: zone?.serial ?? null, lines: zone ? linesOf(zone).sort() : [], fault }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
