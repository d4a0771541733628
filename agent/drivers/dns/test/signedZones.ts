import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { createConnection } from 'node:net'
import { ZoneKeys } from '@innkeeper/contract/agent/dns'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { dsOf, makeKey } from '@innkeeper/contract/net/dns/dnskey'
import { entryKeys, withKinds } from '@innkeeper/contract/net/dns/keyKinds'
import { objectionTo } from '@innkeeper/contract/net/dns/validate'
import { queryOf, type Reply, readReply, typeNumbers } from '@innkeeper/contract/net/dns/wire'
import { expect, test } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

type Zone = OperationInput<'dns-zone.ensure'>
type Set = Zone['sets'][number]
/** Resolvers that ask all the time while the roles change. */
const ASKERS = 4
interface World {
  primary(): Practice<Host>
  secondary(): Practice<Host>
  zoneOf(domain: string, serial: number, sets: Set[], more?: Partial<Zone>): Zone
  ns(domain: string): Set
  set(owner: string, recordType: Set['recordType'], ...contents: string[]): Set
  zoneKey: string
}

/** Tests of signed zones, which are queried as by a validating resolver: with our own validator, and with BIND's. */
export function signedZones({ primary, secondary, zoneOf, ns, set, zoneKey }: World): void {
  type P = Practice<Host>
  const tell = async (at: P, copy: P, zone: Zone) => {
    const { output } = await at.done('dns-zone.ensure', { ...zone, secondaries: [copy.host.address] })
    const { domain, serial, signed } = zone
    const fetch = { domain, serial, signed, primary: at.host.address, zoneKey }
    await copy.done('dns-zone.fetch', fetch)
    return output as { ds: string[] }
  }
  const objection = (p: P, domain: string, keys: string[], now?: number) =>
    objectionTo(domain, keys, (name, type) => ask(p.host.address, name, type), now === undefined ? {} : { now })
  /** The verdict of BIND's validator on a name, with these keys as its trust anchor. */
  const delv = async (p: P, domain: string, keys: string[], name = domain, type = 'SOA') => {
    const anchors = keys.map((key) => {
      const [flags, protocol, algorithm, ...data] = key.split(' ')
      return `"${domain}." static-key ${flags} ${protocol} ${algorithm} "${data.join('')}";`
    })
    const file = `/tmp/${domain}.anchors`
    await primary().sh('sh', '-c', `printf '%s' '${`trust-anchors { ${anchors.join(' ')} };`}' >${file}`)
    const ran = await primary().host.exec(['delv', `@${p.host.address}`, '-a', file, `+root=${domain}`, name, type])
    return ran.stdout + ran.stderr
  }
  const believed = async (p: P, domain: string, keys: string[]) => {
    expect(await objection(p, domain, keys)).toBeUndefined()
    expect(await delv(p, domain, keys)).toContain('; fully validated')
    expect(await delv(p, domain, keys, `nobody.${domain}`)).toContain('; negative response, fully validated')
  }
  /** Why a resolver believes none of the name servers: it asks the next one when an answer is not valid. */
  const bogus = async (servers: P[], domain: string, keys: string[]) => {
    const whys: string[] = []
    for (const p of servers) {
      const why = await objection(p, domain, keys)
      if (why === undefined) return undefined
      whys.push(why)
    }
    return whys.join(' · ')
  }
  const compare = async (p: P, domain: string, from: string | null, dnskeys: string[]) => {
    const { output } = await p.done('dns-zone.read', { domain, from, dnskeys })
    return (output as { fault: string | null }).fault
  }

  /** The keys of a zone, as the control plane reads them from the server that made them. */
  const takenFrom = async (p: P, domain: string) => {
    const own = generateKeyPairSync('x25519')
    const reader = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
    const { output } = await p.done('dns-zone.keys', { domain, reader })
    const bytes = Buffer.from((output as { sealed: string }).sealed, 'base64')
    const head = Buffer.from('302a300506032b656e032100', 'hex')
    const publicKey = createPublicKey({
      key: Buffer.concat([head, bytes.subarray(0, 32)]),
      format: 'der',
      type: 'spki',
    })
    const shared = diffieHellman({ privateKey: own.privateKey, publicKey })
    const aes = Buffer.from(hkdfSync('sha256', shared, bytes.subarray(0, 32), 'innkeeper sealed', 32))
    const cipher = createDecipheriv('aes-256-gcm', aes, bytes.subarray(32, 44)).setAuthTag(bytes.subarray(44, 60))
    return Buffer.concat([cipher.update(bytes.subarray(60)), cipher.final()]).toString('utf8')
  }

  test('the keys of a signed zone move with the primary: every resolver that had its DS believes both servers', async () => {
    const domain = 'turns.example'
    const { dnskey, privateKey } = await makeKey()
    const keys = JSON.stringify([{ dnskey, active: true, privateKey }])
    const zone = zoneOf(domain, 10, [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1')], { signed: true, keys })
    const { ds } = await tell(primary(), secondary(), zone)
    expect(ds).toEqual([await dsOf(domain, dnskey)])
    for (const p of [primary(), secondary()]) await believed(p, domain, [dnskey])

    const roles: [P, P][] = [
      [secondary(), primary()],
      [primary(), secondary()],
    ]
    for (const [n, [first, second]] of roles.entries()) {
      expect(await compare(first, domain, null, [dnskey])).toContain('is a copy from')
      expect(await compare(second, domain, first.host.address, [dnskey])).toContain('is a primary')
      // the same serial first: only the roles change, and every answer of the former primary stays signed
      const moved = tell(first, second, { ...zone, serial: 10 + n })
      const askers = Array.from({ length: ASKERS }, () =>
        meanwhile(moved, () => bogus([second, first], domain, [dnskey])),
      )
      const faults = (await Promise.all(askers)).flat()
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
      for (const serial of [10 + n, 11 + n]) {
        await tell(first, second, { ...zone, serial })
        for (const p of [primary(), secondary()]) await believed(p, domain, [dnskey])
        expect(await compare(first, domain, null, [dnskey])).toBeNull()
        expect(await compare(second, domain, first.host.address, [dnskey])).toBeNull()
      }
      expect(await second.sh('pdnsutil', 'show-zone', domain)).toContain('Zone is presigned')
    }
    const other = await makeKey()
    expect(await objection(primary(), domain, [other.dnskey])).toContain('does not answer the key')
    expect(await objection(primary(), domain, [dnskey], Date.now() + 30 * 86_400_000)).toContain('the signature ends')
    await tell(primary(), secondary(), { ...zone, serial: 20, signed: false, keys: undefined })
    for (const p of [primary(), secondary()])
      expect(await objection(p, domain, [dnskey])).toBe('answers no DNSKEY: the zone is not signed there')
  })

  test('names below a DNAME are answered, and a validator sees that a secondary cannot sign an ALIAS', async () => {
    const domain = 'aliases.example'
    const { dnskey, privateKey } = await makeKey()
    const keys = JSON.stringify([{ dnskey, active: true, privateKey }])
    const sets = [
      ns(domain),
      set(`old.${domain}`, 'DNAME', 'new.example.'),
      set(`edge.${domain}`, 'ALIAS', 'edge.target.example.'),
    ]
    await tell(primary(), secondary(), zoneOf(domain, 10, sets, { signed: true, keys }))
    for (const p of [primary(), secondary()]) {
      const { answers } = await ask(p.host.address, `www.old.${domain}`, typeNumbers.A)
      expect(answers.map(({ type }) => type)).toContain(5)
    }
    const samples = [{ name: `edge.${domain}`, type: typeNumbers.A }]
    const ofAlias = (p: P) =>
      objectionTo(domain, [dnskey], (name, type) => ask(p.host.address, name, type), { samples })
    // the proof of absence beside the name is as invalid as the answer for the name, if the random name falls there
    expect(await ofAlias(secondary())).toMatch(/^(edge\.aliases\.example|a name that does not exist): /)
  })

  test('a server that signs with another key, or lost PRESIGNED, is not the same', async () => {
    const domain = 'bogus.example'
    const { dnskey, privateKey } = await makeKey()
    const keys = JSON.stringify([{ dnskey, active: true, privateKey }])
    const zone = zoneOf(domain, 10, [ns(domain)], { signed: true, keys })
    await tell(primary(), secondary(), zone)
    await secondary().sh('pdnsutil', 'unset-presigned', domain)
    await secondary().sh('pdns_control', 'purge', `${domain}$`)
    expect(await compare(secondary(), domain, primary().host.address, [dnskey])).toBe('is not signed')
    // the server may answer from its caches for a moment
    await expect.poll(() => objection(secondary(), domain, [dnskey])).toBeDefined()
    await tell(primary(), secondary(), zone)
    await believed(secondary(), domain, [dnskey])
    // as a transfer leaves it that ends after the copy became the primary
    await primary().sh('pdnsutil', 'set-presigned', domain)
    expect(await compare(primary(), domain, null, [dnskey])).toBe('answers copied signatures instead of its own')
    await tell(primary(), secondary(), { ...zone, serial: 11 })
    for (const p of [primary(), secondary()]) await believed(p, domain, [dnskey])
    await primary().sh('pdnsutil', 'add-zone-key', domain, 'ksk', 'active')
    expect(await compare(primary(), domain, null, [dnskey])).toBe('signs with other keys')
    await tell(primary(), secondary(), { ...zone, serial: 12 })
    expect(await compare(primary(), domain, null, [dnskey])).toBeNull()
    for (const p of [primary(), secondary()]) await believed(p, domain, [dnskey])
  })

  test('a server encrypts the keys that it generated before it sends them', async () => {
    const domain = 'legacy.example'
    const answer = await primary().done('dns-zone.ensure', zoneOf(domain, 10, [ns(domain)], { signed: true }))
    const text = await takenFrom(primary(), domain)
    const [key] = JSON.parse(text) as { dnskey: string; privateKey: string }[]
    expect(key?.privateKey).toContain('Private-key-format')
    expect((answer.output as { ds: string[] }).ds).toEqual([await dsOf(domain, key?.dnskey ?? '')])
    // another server that has these keys signs for the same DS
    await secondary().done('dns-zone.ensure', zoneOf(domain, 10, [ns(domain)], { signed: true, keys: text }))
    await believed(secondary(), domain, [key?.dnskey ?? ''])
  })

  test('a KSK and a ZSK of other software are taken over, and replaced while every answer stays valid', async () => {
    const domain = 'pair.example'
    await primary().done('dns-zone.ensure', zoneOf(domain, 10, [ns(domain)]))
    for (const kind of ['ksk', 'zsk'])
      await primary().sh('pdnsutil', 'add-zone-key', domain, kind, 'active', 'published', '2048', 'rsasha256')
    await primary().sh('pdnsutil', 'rectify-zone', domain)
    await primary().sh('pdns_control', 'purge', `${domain}$`)
    const former = ZoneKeys.parse(JSON.parse(await takenFrom(primary(), domain)))
    const kindsOf = (keys: ZoneKeys) => withKinds(keys).map(({ kind }) => kind)
    expect(kindsOf(former).sort()).toEqual(['KSK', 'ZSK'])
    const next = await Promise.all(
      [257 as const, 256 as const].map(async (flags) => ({ ...(await makeKey(flags)), active: true })),
    )
    const entry = (keys: ZoneKeys) => entryKeys(keys).map(({ dnskey }) => dnskey)
    let serial = 10
    for (const [keys, trusted] of [
      [former, [former]],
      [
        [...former, ...next],
        [former, next],
      ],
      [next, [next]],
    ] as const) {
      serial += 1
      const zone = zoneOf(domain, serial, [ns(domain)], { signed: true, keys: JSON.stringify(keys) })
      await tell(primary(), secondary(), zone)
      for (const p of [primary(), secondary()]) {
        for (const anchors of trusted) await believed(p, domain, entry(anchors))
        expect(
          await objection(
            p,
            domain,
            keys.map(({ dnskey }) => dnskey),
          ),
        ).toBeUndefined()
      }
    }
    // a resolver does not know the ZSK: the zone is bogus when the ZSK alone signs the keys
    const asleep = JSON.stringify(next.map((key) => ({ ...key, active: key.dnskey.startsWith('256') })))
    const zone = zoneOf(domain, serial + 1, [ns(domain)], { signed: true, keys: asleep })
    await primary().done('dns-zone.ensure', zone)
    const both = next.map(({ dnskey }) => dnskey)
    await expect.poll(() => objection(primary(), domain, both)).toMatch(/^DNSKEY: /)
  })
}

/** The results of `look`, again and again until `work` is done. */
async function meanwhile<T>(work: Promise<unknown>, look: () => Promise<T>): Promise<T[]> {
  const seen: T[] = []
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  while (!done) seen.push(await look())
  await ended
  return seen
}

/** One question over TCP, which has room for every answer. */
function ask(address: string, name: string, type: number): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const socket = createConnection({ host: address, port: 53, timeout: 30_000 })
  const query = queryOf(name, type)
  socket.on('connect', () => socket.write(Buffer.concat([Buffer.from([0, query.length]), query])))
  let got = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    got = Buffer.concat([got, chunk])
    if (got.length < 2 || got.length < 2 + got.readUInt16BE()) return
    socket.destroy()
    resolve(readReply(new Uint8Array(got.subarray(2))))
  })
  socket.on('timeout', () => socket.destroy(new Error(`${address} does not answer`)))
  socket.on('error', reject)
  return promise
}
