import { ZoneKeys } from '@innkeeper/contract/agent/dns'
import type { Driver } from '../../kit/driver.ts'
import { must, until } from '../../kit/host.ts'
import { sealFor } from '../../kit/sealed.ts'
import { forgetAnswers, powerdnsCall } from './powerdnsApi.ts'
import { findZone, type KeptZone, pathOf } from './powerdnsZone.ts'

/** A key as the API shows it; the private half only when asked for one key. */
interface KeptKey {
  id: number
  active: boolean
  published: boolean
  dnskey: string
  ds?: string[]
  privatekey?: string
}
export const keysOf = (domain: string): Promise<KeptKey[]> => powerdnsCall<KeptKey[]>(`${pathOf(domain)}/cryptokeys`)

export const isCopy = ({ kind }: KeptZone): boolean => ['Secondary', 'Slave'].includes(kind)
export const mastersOf = ({ masters }: KeptZone): string => masters.map((at) => at.replace(/:53$/, '')).join()

/** Whether PowerDNS serves the signatures that it copied from the primary and makes none itself. */
export async function isPresigned(domain: string): Promise<boolean> {
  const { metadata } = await powerdnsCall<{ metadata: string[] }>(`${pathOf(domain)}/metadata/PRESIGNED`)
  return metadata[0] === '1'
}

/** Interval to request a transfer again: PowerDNS drops one when another write locks its database. */
const AGAIN_MS = 2000

/** Requests a transfer of the zone from its primary, again after a while. */
export function retriever(domain: string, fence: () => void): () => Promise<void> {
  let asked = -AGAIN_MS
  return async () => {
    if (performance.now() - asked < AGAIN_MS) return
    fence()
    asked = performance.now()
    await powerdnsCall(`${pathOf(domain)}/axfr-retrieve`, 'PUT')
  }
}

/** The API does not set PRESIGNED. The purge makes the running server read the mark again. */
async function markPresigned(domain: string, wanted: boolean): Promise<void> {
  await must(['pdnsutil', wanted ? 'set-presigned' : 'unset-presigned', domain])
  await forgetAnswers(domain)
}

/**
 * Makes this server sign the zone with exactly these keys. Adds new keys before it removes old keys or copied signatures,
 * so that every answer in between is signed by a key of the DNSKEY set.
 */
export async function settleKeys(domain: string, text: string): Promise<void> {
  const wanted = ZoneKeys.parse(JSON.parse(text))
  const there = await keysOf(domain)
  for (const { dnskey, active, privateKey } of wanted) {
    const found = there.find((key) => key.dnskey === dnskey)
    const keytype = dnskey.startsWith('257') ? 'csk' : 'zsk'
    if (!found)
      await powerdnsCall(`${pathOf(domain)}/cryptokeys`, 'POST', {
        ...{ keytype, active, published: true },
        privatekey: privateKey,
      })
    else if (found.active !== active || !found.published)
      await powerdnsCall(`${pathOf(domain)}/cryptokeys/${found.id}`, 'PUT', { active, published: true })
  }
  for (const { id, dnskey } of there)
    if (!wanted.some((key) => key.dnskey === dnskey)) await powerdnsCall(`${pathOf(domain)}/cryptokeys/${id}`, 'DELETE')
  if (!(await isPresigned(domain))) return
  // PowerDNS may still remember that there were no keys: without the mark it would sign nothing
  await forgetAnswers(domain)
  await markPresigned(domain, false)
}

/** Whether the zone is signed here by these keys and no others. */
export async function isSignedBy(domain: string, text: string): Promise<boolean> {
  const wanted = ZoneKeys.parse(JSON.parse(text)).map(({ dnskey, active }) => `${dnskey} ${active}`)
  const there = (await keysOf(domain)).map(({ dnskey, active }) => `${dnskey} ${active}`)
  return there.sort().join() === wanted.sort().join() && !(await isPresigned(domain))
}

/** Turns the copy of a zone into an unsigned primary. */
export async function unsignCopy(domain: string): Promise<void> {
  if (await isPresigned(domain)) await markPresigned(domain, false)
}

/**
 * Makes the copy of a signed zone serve the signatures of its primary, and then removes the zone's own keys. A former
 * primary signs with these keys until the signatures arrive: PRESIGNED before would leave its answers unsigned. With
 * the signatures PowerDNS sets PRESIGNED itself, but not always.
 */
export async function settleCopy(
  domain: string,
  signed: boolean,
  say: (text: string) => void,
  fence: () => void,
): Promise<void> {
  const keys = await keysOf(domain)
  const presigned = await isPresigned(domain)
  // PowerDNS may have set PRESIGNED itself, and remember for a minute that it was not set
  if (presigned === signed && !keys.length) return forgetAnswers(domain)
  fence()
  if (signed && !(await hasSignatures(domain))) {
    const ask = retriever(domain, fence)
    await until({
      what: `the signatures of ${domain} arrive`,
      unit: 'pdns',
      async look() {
        if (await hasSignatures(domain)) return
        await ask()
        throw new Error(`${domain} was transferred without signatures`)
      },
    })
  }
  if ((await isPresigned(domain)) !== signed) await markPresigned(domain, signed)
  // PowerDNS has set the mark itself and may still remember that it was not set: without keys it would sign nothing
  else await forgetAnswers(domain)
  for (const { id } of keys) await powerdnsCall(`${pathOf(domain)}/cryptokeys/${id}`, 'DELETE')
  await forgetAnswers(domain)
  say(signed ? `${domain} answers the signatures of its primary` : `${domain} is not signed`)
}

async function hasSignatures(domain: string): Promise<boolean> {
  const zone = await findZone(domain, true)
  return zone?.rrsets?.some(({ name, type }) => name === zone.name && type === 'RRSIG') ?? false
}

/** The keys of a zone with their private halves, encrypted for whoever asks. */
export const readZoneKeys: Driver<'dns-zone.keys'> = {
  async run({ input: { domain, reader } }) {
    if (!(await findZone(domain, false))) return { sealed: null }
    const keys: ZoneKeys = []
    for (const { id, active, dnskey } of await keysOf(domain)) {
      const { privatekey = '' } = await powerdnsCall<KeptKey>(`${pathOf(domain)}/cryptokeys/${id}`)
      keys.push({ dnskey, active, privateKey: privatekey })
    }
    return { sealed: keys.length ? sealFor(reader, JSON.stringify(keys)) : null }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
