import { createHash } from 'node:crypto'
import { type Entry, lineOf } from '@innkeeper/contract/net/dns/records'

/** The digest of a zone without records. */
export const NOTHING = '0'.repeat(32)

/**
 * XOR of the hashes of all record lines of a zone, so that the cost of an update depends on the size of the change, not
 * of the zone. The digest detects drift; it is not a signature. The agent computes the same digest
 * (agent/drivers/dns/powerdnsZone.ts).
 */
export function digestOf(zone: string, entries: readonly Entry[], before = NOTHING): string {
  const sum = Buffer.from(before, 'hex')
  for (const entry of entries) {
    const hash = createHash('sha256').update(lineOf(entry, zone)).digest()
    for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) ^ (hash[i] ?? 0)
  }
  return sum.toString('hex')
}
