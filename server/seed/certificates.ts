import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { inArray } from 'drizzle-orm'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import { certificatesIn, factsOf } from '../net/ssl/certificates/read.ts'
import { renewalTime } from '../net/ssl/orders/renewalTime.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const DAY = 86_400_000
const AT_ONCE = 400
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
type Keys = Awaited<ReturnType<typeof newKeys>>

interface Kind {
  kind: 'lets-encrypt' | 'custom' | 'self-signed'
  /** Undefined: self-signed. */
  issuer?: string
  days: number
}
const kinds: readonly Kind[] = [
  ...Array<Kind>(16).fill({ kind: 'lets-encrypt', issuer: "O=Let's Encrypt, CN=E7", days: 90 }),
  { kind: 'custom', issuer: 'O=Nordic Trust AS, CN=Nordic Trust TLS CA 3', days: 365 },
  { kind: 'custom', issuer: 'O=Nordic Trust AS, CN=Nordic Trust TLS CA 3', days: 365 },
  { kind: 'self-signed', days: 397 },
]
const complaints = [
  'Order certificate: 1 of 2 names could not be proved. Nothing was issued; the current certificate stays.\nwww: The authority finds no address for this name',
  'Order certificate: acme-v02.api.letsencrypt.org does not answer: no answer in 20 s. Nothing was ordered',
]

/**
 * Adds certificates for most websites, with real chains of untrusted authorities. A few have expired or cannot be
 * renewed. The private keys are not stored, because no real server has the seeded websites. Returns the number of
 * certificates.
 */
export async function seedCertificates(db: Db, d: Dice, now: Date): Promise<number> {
  const sites = await db
    .select({ id: tables.websites.id, domain: tables.websites.domain, createdAt: tables.websites.createdAt })
    .from(tables.websites)
    .where(inArray(tables.websites.kind, ['main', 'sub']))
    .orderBy(tables.websites.id)
  const keys = await newKeys()
  const issuers = new Map<string, X509Certificate>()
  const made: (typeof tables.certificates.$inferInsert)[] = []
  for (const { id, domain, createdAt } of sites) {
    if (!d.chance(0.6)) continue
    const one = d.pick(kinds)
    const names = [domain, `www.${domain}`]
    const age = d.chance(0.02) ? one.days + d.below(20) : d.below(one.kind === 'custom' ? 350 : 58)
    const from = new Date(now.getTime() - age * DAY)
    const chain = await chainOf(names, one, from, keys, issuers)
    const facts = factsOf(chain)
    const failed = one.kind === 'lets-encrypt' && (age > 58 || d.chance(0.01))
    const autoRenew = one.kind !== 'custom'
    made.push({
      ...{ websiteId: id, domain, kind: one.kind, state: 'active', search: [domain, ...names].join(' '), createdAt },
      ...facts,
      ...{ autoRenew, vhostAliases: autoRenew, renewAt: autoRenew ? renewalTime(facts, null, d.next) : null },
      ...(failed && { failures: 1 + d.below(9), reason: d.pick(complaints) }),
    })
  }
  for (const some of chunks(made, AT_ONCE)) {
    const kept = await db.insert(tables.certificates).values(some).returning()
    await db.insert(tables.certificateOrders).values(
      kept.map(({ id, names, notBefore, notAfter, fingerprint, chain, kind }) => ({
        ...{ certificateId: id, outcome: 'in-use' as const, names, notAfter, fingerprint, chain },
        ...(notBefore && { at: notBefore }),
        ...(kind === 'lets-encrypt' && { directory: LETS_ENCRYPT, ordered: true, domains: names.slice(0, 1) }),
      })),
    )
    const used = kept.map(({ id, websiteId, kind }) => ({
      ...{ websiteId, certificateId: id, redirect: kind !== 'self-signed', hstsDays: kind === 'custom' ? 180 : 0 },
    }))
    await db.insert(tables.siteCertificates).values(used)
    await db
      .update(tables.websites)
      .set({ ssl: true })
      .where(
        inArray(
          tables.websites.id,
          used.map(({ websiteId }) => websiteId),
        ),
      )
  }
  const [first] = made
  // an unused certificate, which another one replaced
  if (first) await db.insert(tables.certificates).values({ ...first, kind: 'custom', autoRenew: false, renewAt: null })
  return made.length
}
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

type Chain = Parameters<typeof factsOf>[0]

/** All certificates share one key: creating thousands would take as long as the rest of the seed. */
async function chainOf(
  names: string[],
  { issuer, days }: Kind,
  from: Date,
  keys: Keys,
  issuers: Map<string, X509Certificate>,
): Promise<Chain> {
  const until = new Date(from.getTime() + days * DAY)
  const subject = `CN=${names[0]?.slice(0, 64)}`
  const sign = (of: {
    subject: string
    issuer: string
    notBefore: Date
    notAfter: Date
    ca: boolean
    names: string[]
  }) =>
    X509CertificateGenerator.create({
      ...{ subject: of.subject, issuer: of.issuer, notBefore: of.notBefore, notAfter: of.notAfter },
      serialNumber: `1${from.getTime().toString(16)}${issuers.size}${of.names[0]?.length ?? 0}`,
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new BasicConstraintsExtension(of.ca, undefined, true),
        ...(of.names.length
          ? [new SubjectAlternativeNameExtension(of.names.map((value) => ({ type: 'dns' as const, value })))]
          : []),
      ],
    })
  const leaf = await sign({ subject, issuer: issuer ?? subject, notBefore: from, notAfter: until, ca: false, names })
  const pems = [leaf.toString('pem')]
  if (issuer) {
    const known =
      issuers.get(issuer) ??
      (await sign({
        ...{ subject: issuer, issuer: 'CN=Root of the seed', ca: true, names: [] },
        notBefore: new Date(from.getTime() - 900 * DAY),
        notAfter: new Date(from.getTime() + 2700 * DAY),
      }))
    issuers.set(issuer, known)
    pems.push(known.toString('pem'))
  }
  const [first, ...rest] = certificatesIn(pems.join('\n')) ?? []
  if (!first) throw new Error('a certificate was not inserted')
  return [first, ...rest]
}
