import { objectionTo } from '@innkeeper/contract/net/dns/validate'
import type { Db } from '../../../kit/db/db.ts'
import { askAt } from '../signing/ask.ts'
import { samplesOf } from '../signing/samples.ts'
import { comparedIn, VALIDATED_AT_ONCE } from './comparison.ts'

/**
 * Validates the signed zones of each name server like a resolver, because equal serials and records do not prove the
 * signatures. Answers the objections by server id and domain.
 */
export async function validated(
  db: Db,
  request: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const objections = new Map<string, string>()
  for (const { serverId, name, address, zones, differing } of await comparedIn(db, request)) {
    if (!address || !differing) continue
    const lacks = new Set(differing.flatMap(({ domain, serial }) => (serial ? [] : [domain])))
    const left = zones.filter(({ domain, dnskeys }) => dnskeys?.length && !lacks.has(domain))
    const ask = askAt(address)
    const work = async () => {
      for (let zone = left.pop(); zone && !signal.aborted; zone = left.pop()) {
        const { domain, dnskeys = [] } = zone
        try {
          const why = await objectionTo(domain, dnskeys, ask, { samples: await samplesOf(db, domain) })
          if (why) objections.set(`${serverId} ${domain}`, why)
        } catch (error) {
          left.length = 0
          say(`${name}: signatures were not checked: ${error instanceof Error ? error.message : error}`)
        }
      }
    }
    await Promise.all(Array.from({ length: VALIDATED_AT_ONCE }, work))
  }
  return objections
}
