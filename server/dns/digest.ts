import { createHash } from 'node:crypto'
import { type Entry, lineOf } from '@innkeeper/contract/dns/records'

/** Of no records. */
export const NOTHING = '0'.repeat(32)

/**
 * XOR of the hashes of all lines of a zone, so that a change costs what it changes and not what the zone has. It finds
 * drift; it is no signature. The agent computes the same (agent/drivers/dns/powerdnsZone.ts).
 */
export function digestOf(zone: string, entries: readonly Entry[], before = NOTHING): string {
  const sum = Buffer.from(before, 'hex')
  for (const entry of entries) {
    const hash = createHash('sha256').update(lineOf(entry, zone)).digest()
    for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) ^ (hash[i] ?? 0)
  }
  return sum.toString('hex')
}
