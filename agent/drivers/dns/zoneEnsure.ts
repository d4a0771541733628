import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { isLater } from '@innkeeper/contract/net/dns/records'
import type { Context, Driver } from '../../kit/driver.ts'
import { spendReserve } from '../../kit/files/reserve.ts'
import { exclusive, notes } from '../../kit/host.ts'
import { forgetAnswers, PowerdnsRefusal, powerdnsCall } from './powerdnsApi.ts'
import { changesOf, diffOf, findZone, type KeptZone, pathOf, type SetChange, signing, soaSet } from './powerdnsZone.ts'
import { isCopy, isPresigned, isSignedBy, settleKeys, unsignCopy } from './zoneKeys.ts'
import { settleDenial, settleOptions, transferKeys } from './zoneOptions.ts'

type Input = OperationInput<'dns-zone.ensure'>
const kind = 'zone'
/** Lines of a diff that are logged; the rest is only counted. */
const LINES = 200

/**
 * Writes a zone to the primary. One call writes all changes and the serial, so that nobody sees a zone half changed.
 * Equal record sets are not written.
 */
export const ensureZone: Driver<'dns-zone.ensure'> = {
  run: (c) => exclusive(`zone ${c.input.domain}`, () => settled(c)),

  async undo({ input: { domain }, actionId, say, fence }) {
    const note = await notes.find(kind, domain)
    if (note?.by !== actionId) return void say(`${domain} stays: a later change reverts its records`)
    fence()
    if (await findZone(domain, false)) await powerdnsCall(pathOf(domain), 'DELETE')
    await notes.drop(kind, domain)
    say(`${domain} is removed from this name server`)
  },

  async inspect({ input, actionId, task }) {
    const zone = await findZone(input.domain, true)
    if (task === 'undo') return (await notes.find(kind, input.domain))?.by === actionId && zone ? 'no' : 'yes'
    if (!zone) return 'no'
    if (zone.serial !== input.serial) return isLater(zone.serial, input.serial) && !input.whole ? 'yes' : 'no'
    if (changesOf(zone, input.sets, input.whole).length || zone.dnssec !== input.signed || isCopy(zone)) return 'no'
    return input.signed && input.keys && !(await isSignedBy(input.domain, input.keys)) ? 'no' : 'yes'
  },
}

/** Rounds until no transfer comes in between. Each transfer was under way before the zone became a primary. */
const ROUNDS = 5

/**
 * Writes the zone, and again if a transfer that the former copy had begun ended meanwhile: it brings the former records,
 * the copied signatures and their mark back.
 */
async function settled(c: Context<'dns-zone.ensure'>) {
  const { domain, serial } = c.input
  for (let round = 1; ; round++) {
    const answer = await converge(c)
    const now = await findZone(domain, false)
    const isPassedBy = answer.serial !== serial // a later change came first
    if (isPassedBy || (now?.serial === serial && !(await isPresigned(domain)))) return answer
    if (round === ROUNDS) throw new Error(`${domain} should be at serial ${serial} and is at ${now?.serial}`)
    c.say(`a transfer of ${domain} that had begun before came in between: writes the zone again`)
  }
}

async function converge({ input, actionId, say, fence }: Context<'dns-zone.ensure'>) {
  const { domain, serial, whole, sets, signed } = input
  const before = await findZone(domain, true)
  if (!before && !whole) throw new Error(`${domain} is not on this name server: a sync must send all its records`)
  if (before && !whole && isLater(before.serial, serial)) {
    say(`${domain} is at ${before.serial} already, later than ${serial}`)
    return { serial: before.serial, changed: 0, ds: await dsOf(before) }
  }
  const changes = changesOf(before, sets, whole)
  const diff = diffOf(before, changes)
  fence()
  const keyIds = await transferKeys(input)
  if (!before) {
    await create(input, actionId, keyIds, changes)
    await settleDenial(input)
    await settleOptions(input)
    await forgetAnswers(domain)
  } else {
    // from here on no transfer begins; one that has begun brings copied signatures and their mark back when it ends
    if (isCopy(before)) await powerdnsCall(pathOf(domain), 'PUT', { kind: 'Primary' })
    if (signed && input.keys) await settleKeys(domain, input.keys)
    else if (!signed && isCopy(before)) await unsignCopy(domain)
    const copied = signaturesIn(before)
    const isSettled = await settle(input, before, keyIds)
    await settleDenial(input)
    await settleOptions(input)
    if (signed || before.dnssec) await forgetAnswers(domain)
    // PowerDNS may raise the serial by itself when a copy becomes the primary
    const at = isSettled ? before.serial : (await findZone(domain, false))?.serial
    // without the copied signatures a zone with their mark would answer none
    if (copied.length) await unsignCopy(domain)
    // the serial comes last: a copy that has the serial does not ask again
    if (changes.length || copied.length || at !== serial)
      await powerdnsCall(pathOf(domain), 'PATCH', { rrsets: [...copied, ...changes, soaSet(input, serial)] })
  }
  for (const line of diff.slice(0, LINES)) say(line)
  if (diff.length > LINES) say(`… and ${diff.length - LINES} lines more`)
  say(changes.length || before?.serial !== serial ? `${domain} is at serial ${serial}` : `${domain} is as it should be`)
  await powerdnsCall(`${pathOf(domain)}/notify`, 'PUT')
  const now = signed ? await findZone(domain, false) : undefined
  return { serial, changed: changes.length, ds: now ? await dsOf(now) : [] }
}

async function create(input: Input, actionId: number, keyIds: string[], changes: readonly SetChange[]): Promise<void> {
  const { domain, serial, signed, keys } = input
  await notes.keep(kind, domain, actionId)
  await powerdnsCall('/zones', 'POST', {
    name: `${domain}.`,
    kind: 'Primary',
    soa_edit_api: 'OFF', // Innkeeper sets the serial, equal in its database and here
    api_rectify: true,
    dnssec: signed && keys === undefined,
    master_tsig_key_ids: keyIds,
    nameservers: [],
    rrsets: [soaSet(input, serial), ...changes].map(({ changetype: _, ...set }) => set),
  }).catch((error: unknown) => withoutRest(domain, error))
  if (signed && keys) await settleKeys(domain, keys)
}

/**
 * PowerDNS stores a zone before its records. When a full disk keeps the records out, the zone would have no SOA: its name
 * would be answered by SERVFAIL.
 */
async function withoutRest(domain: string, error: unknown): Promise<never> {
  if (!(error instanceof PowerdnsRefusal && error.status >= 500)) throw error
  const remove = async () => {
    if (await findZone(domain, false)) await powerdnsCall(pathOf(domain), 'DELETE')
  }
  await remove().catch(async (again: Error) => {
    if (!(await spendReserve()))
      throw new Error(`${error.message}; a zone without records stays on this name server: ${again.message}`)
    await remove() // in the room that is kept for an undo
    throw new Error(`${error.message}: no space left on device`)
  })
  throw error
}

/** Changes that delete the signatures copied from another primary: this server makes its own and stores none. */
const signaturesIn = (zone: KeptZone): SetChange[] => {
  const { rrsets = [] } = zone
  if (!isCopy(zone) && !rrsets.some(({ type }) => type === 'RRSIG')) return []
  return rrsets
    .filter(({ type }) => signing.includes(type))
    .map(({ name, type }) => ({ name, type, changetype: 'DELETE' as const }))
}

/** Updates the kind and the signing of a zone. Answers whether both were right before. */
async function settle({ domain, signed }: Input, before: KeptZone, keyIds: string[]): Promise<boolean> {
  const wanted = {
    kind: 'Primary',
    dnssec: signed,
    master_tsig_key_ids: keyIds,
    api_rectify: true,
    soa_edit_api: 'OFF',
  }
  if (!isCopy(before) && before.dnssec === signed && before.master_tsig_key_ids.join() === keyIds.join()) return true
  await powerdnsCall(pathOf(domain), 'PUT', wanted)
  return false
}

/** The DS records for the registry: the digests of the signing key. */
async function dsOf({ name, dnssec }: KeptZone): Promise<string[]> {
  if (!dnssec) return []
  const keys = await powerdnsCall<{ active: boolean; ds?: string[] }[]>(`/zones/${name}/cryptokeys`)
  const all = keys.filter(({ active }) => active).flatMap(({ ds = [] }) => ds)
  return all.filter((ds) => ds.split(' ')[2] === '2')
}
