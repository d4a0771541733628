import { keyBytes, tagOf } from './dnskey.ts'
import { entryKeys } from './keyKinds.ts'
import { compare, isBy, isSame } from './signature.ts'
import { type Bytes, four, join, nameBytes, type Reply, two, typeNumbers, type WireRecord } from './wire.ts'

const { RRSIG, DNSKEY, SOA, NS, A, NSEC, NSEC3 } = typeNumbers
export type Ask = (name: string, type: number) => Promise<Reply>

/** Signatures that end sooner than this count as expired, because caches keep answers longer. */
const SPARE_S = 86_400
/** A name that no zone has. The answer must prove that it does not exist. */
const NOBODY = 'no-such-name-of-innkeeper'

/**
 * Checks a signed zone at one name server like a validating resolver, with `keys` (DNSKEY records) in place of the DS
 * records of the parent zone: the keys, the SOA and NS records, a name that does not exist, and the names of `samples`.
 * Answers the first error, or undefined if a resolver would accept the answers.
 */
export async function objectionTo(
  zone: string,
  keys: readonly string[],
  ask: Ask,
  { now = Date.now(), samples = [] }: { now?: number; samples?: readonly Sample[] } = {},
): Promise<string | undefined> {
  const trusted = keys.map(keyBytes)
  const { answers } = await ask(zone, DNSKEY)
  const shown = answers.filter(({ type }) => type === DNSKEY).map(({ data }) => data)
  if (!shown.length) return 'answers no DNSKEY: the zone is not signed there'
  const lost = trusted.find((key) => !shown.some((one) => isSame(one, key)))
  if (lost) return `does not answer the key ${tagOf(lost)}, which the DS record of the parent zone may name`
  // resolvers know only keys with a DS record: a ZSK does not vouch for the keys
  const entries = entryKeys(keys.map((dnskey) => ({ dnskey, active: true }))).map(({ dnskey }) => keyBytes(dnskey))
  const ofKeys = await objection(answers, DNSKEY, entries, zone, now)
  if (ofKeys) return `DNSKEY: ${ofKeys}`
  for (const [type, name] of [
    [SOA, 'SOA'],
    [NS, 'NS'],
  ] as const) {
    const why = await objection((await ask(zone, type)).answers, type, shown, zone, now)
    if (why) return `${name}: ${why}`
  }
  const absent = await ask(`${NOBODY}.${zone}`, A)
  // a wildcard answers every name
  if (!absent.answers.length) {
    const types = new Set(absent.authority.map(({ type }) => type))
    if (!types.has(NSEC) && !types.has(NSEC3)) return 'does not prove that a name does not exist'
    for (const type of types) {
      const why = type === RRSIG ? undefined : await objection(absent.authority, type, shown, zone, now)
      if (why) return `a name that does not exist: ${why}`
    }
  }
  for (const { name, type } of samples) {
    const { answers, authority } = await ask(name, type)
    const owner = nameBytes(name).join()
    const why = answers.some((one) => one.type === type && one.owner.join() === owner)
      ? await objection(answers, type, shown, zone, now)
      : await denial(authority, shown, zone, now)
    if (why) return `${name}: ${why}`
  }
  return undefined
}

/** A record set of a signed zone: its whole name and the number of its type, whose data contains no name. */
export interface Sample {
  name: string
  type: number
}

/** Why the proof that a name lacks a type is not valid. Undefined without such a proof, as for names of another zone. */
async function denial(
  authority: readonly WireRecord[],
  keys: readonly Bytes[],
  zone: string,
  now: number,
): Promise<string | undefined> {
  for (const type of [NSEC, NSEC3]) {
    const why = authority.some((one) => one.type === type) && (await objection(authority, type, keys, zone, now))
    if (why) return why
  }
  return undefined
}

/** Answers an error unless every record set of this type has a valid signature by one of these keys. */
async function objection(
  all: readonly WireRecord[],
  type: number,
  keys: readonly Bytes[],
  zone: string,
  now: number,
): Promise<string | undefined> {
  const sets = Map.groupBy(
    all.filter((one) => one.type === type),
    ({ owner }) => owner.join(),
  )
  if (!sets.size) return 'no answer'
  for (const set of sets.values()) {
    const [first] = set
    const signatures = all.filter(
      (one) => one.type === RRSIG && covered(one.data) === type && first && isSame(one.owner, first.owner),
    )
    if (!signatures.length) return 'no signature'
    const whys = await Promise.all(signatures.map(({ data }) => fault(set, data, keys, zone, now)))
    if (whys.every((why) => why !== undefined)) return whys[0]
  }
  return undefined
}

const covered = (signature: Bytes): number => new DataView(signature.buffer, signature.byteOffset).getUint16(0)

async function fault(
  set: readonly WireRecord[],
  data: Bytes,
  keys: readonly Bytes[],
  zone: string,
  now: number,
): Promise<string | undefined> {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const [algorithm, ttl, until, from, tag] = [
    view.getUint8(2),
    view.getUint32(4),
    view.getUint32(8),
    view.getUint32(12),
    view.getUint16(16),
  ]
  const seconds = Math.floor(now / 1000)
  const day = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)
  if (until < seconds + SPARE_S) return `the signature ends on ${day(until)}`
  if (from > seconds) return `the signature begins on ${day(from)}`
  const signer = nameBytes(zone)
  const head = 18 + signer.length
  if (!isSame(data.slice(18, head), signer)) return 'another zone signed it'
  const key = keys.find((one) => tagOf(one) === tag && one[3] === algorithm)
  if (!key) return `the signature is by the key ${tag}, which is not one of this zone`
  const rows = set
    .map(({ owner, type, data: rdata }) => ({ before: join(owner, two(type), two(1), four(ttl)), rdata }))
    .sort((a, b) => compare(a.rdata, b.rdata))
  const signed = join(data.slice(0, head), ...rows.flatMap(({ before, rdata }) => [before, two(rdata.length), rdata]))
  return (await isBy(key, algorithm, data.slice(head), signed)) ? undefined : 'the signature is not valid'
}
