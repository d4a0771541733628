import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { outsideKeyName } from '@innkeeper/contract/net/dns/options'
import { ensureTransferKey, forgetTransferKey, powerdnsCall } from './powerdnsApi.ts'
import { pathOf } from './powerdnsZone.ts'

type Input = OperationInput<'dns-zone.ensure'>
type Kind = 'ALSO-NOTIFY' | 'PUBLISH-CDS' | 'PUBLISH-CDNSKEY'

/** SHA-256, the digest of the DS record that people see. */
const DIGEST = '2'
/** RFC 9276: no salt, no further iterations. */
const NSEC3 = '1 0 0 -'

/**
 * Ids of the TSIG keys that may transfer the zone: Innkeeper's, and that of external name servers. PowerDNS signs every
 * NOTIFY with the first key. External name servers know only theirs, so it comes first; agents need no NOTIFY.
 */
export async function transferKeys({ domain, zoneKey, outside = [], outsideKey }: Input): Promise<string[]> {
  const ours = await ensureTransferKey(zoneKey)
  return outside.length && outsideKey ? [await ensureTransferKey(outsideKey, outsideKeyName(domain)), ours] : [ours]
}

/** Which name servers are notified, and what a signed zone publishes of its key. */
export async function settleOptions(input: Input): Promise<void> {
  const { domain, secondaries, outside = [], signed, cds = false } = input
  await settleMetadata(domain, 'ALSO-NOTIFY', [...secondaries, ...outside])
  await settleMetadata(domain, 'PUBLISH-CDS', signed && cds ? [DIGEST] : [])
  await settleMetadata(domain, 'PUBLISH-CDNSKEY', signed && cds ? ['1'] : [])
  if (!outside.length) await forgetTransferKey(outsideKeyName(domain))
}

/** Sets how a signed zone proves that a name does not exist. Changes nothing without `nsec3`. */
export async function settleDenial({ domain, signed, nsec3 }: Input): Promise<void> {
  if (!signed || nsec3 === undefined) return
  const { nsec3param } = await powerdnsCall<{ nsec3param: string }>(`${pathOf(domain)}?rrsets=false`)
  const wanted = nsec3 ? NSEC3 : ''
  if (nsec3param !== wanted) {
    await powerdnsCall(pathOf(domain), 'PUT', { nsec3param: wanted, nsec3narrow: false })
    await powerdnsCall(`${pathOf(domain)}/rectify`, 'PUT')
  }
}

async function settleMetadata(domain: string, kind: Kind, wanted: string[]): Promise<void> {
  const place = `${pathOf(domain)}/metadata/${kind}`
  const { metadata } = await powerdnsCall<{ metadata: string[] }>(place)
  if (metadata.join() !== wanted.join())
    await (wanted.length ? powerdnsCall(place, 'PUT', { metadata: wanted }) : powerdnsCall(place, 'DELETE'))
}
