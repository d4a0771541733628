import { createPrivateKey } from 'node:crypto'
import type { NameCheck } from '@innkeeper/contract/net/ssl/shapes'
import { eq, sql } from 'drizzle-orm'
import { dayText } from '../../../kit/app/sinceText.ts'
import type { Work } from '../../../kit/work/action.ts'
import { openAcme, readThumbprint, withAccount } from '../acme/account.ts'
import { type Acme, type Authorization, type Order, txtOf } from '../acme/client.ts'
import { AcmeProblem, challengeWords } from '../acme/problem.ts'
import { selfSigned, signingRequest } from '../certificates/generate.ts'
import { covers, orderedNames, registeredDomain } from '../certificates/names.ts'
import { certificatesIn, factsOf } from '../certificates/read.ts'
import { certificateOrders, certificates } from '../tables.ts'
import { limitsFor, limitWords, usedUp } from './budget.ts'
import { ownerOf, type Proof, plant, unplant } from './dnsProof.ts'
import { blockersOf, groundsOf, lookAtNames } from './preflight.ts'
import { ariIdOf } from './renewalTime.ts'

export interface Ordered {
  certificateId: number
  /** Name of the secret for the new key. */
  keyName: string
  serverId: number
  /** The order fails when one of these names cannot be validated. */
  required: string[]
  /** These names are left out, with a log line, when they cannot be validated. */
  others: string[]
  /** Names that visitors use. */
  served: string[]
  force: boolean
}
interface Failure {
  name: string
  reason: string
}

/**
 * Orders a certificate: preflight, rate limits, proofs, signature. Returns the chain; the key is saved as a secret. A
 * retry after an interrupted attempt returns the chain that was already issued and does not order again.
 */
export async function orderCertificate(input: Ordered, work: Work) {
  const { app, say } = work
  const { id: orderId, ...known } = await orderOf(input, work)
  if (known.chain) return answerOf(known.chain, known.missing, input.served)
  const [certificate] = await app.db.select().from(certificates).where(eq(certificates.id, input.certificateId))
  if (!certificate) throw new Error(`the certificate ${input.certificateId} is gone`)
  if (certificate.kind === 'self-signed') return signHere(input, orderId, work)
  await unplant(work, orderId)
  const acme = await openAcme(app, certificate.email, work.signal)
  const { meta } = await acme.directory()
  const here = { serverId: input.serverId, websiteId: certificate.websiteId }
  const checks = await lookAtNames(await groundsOf(app, here, meta?.caaIdentities ?? [], true), [
    ...input.required,
    ...input.others,
  ])
  for (const { name, checks: looks } of checks) say(`${name}: ${looks.map(({ text }) => text).join('; ')}`)
  const missing = settle(input, input.force ? [] : blockersOf(checks), say)
  let names = orderedNames(input, missing)
  const renewal = certificate.names.toSorted().join() === names.toSorted().join() && certificate.chain !== null
  const used = usedUp(await limitsFor(app.db, app.settings.acme, names), renewal)
  if (used) throw new Error(limitWords(used))

  work.fence()
  const order = { names: names.toSorted(), domains: [...new Set(names.map(registeredDomain))], renewal }
  await keep(work, orderId, { ...order, ordered: true, directory: app.settings.acme })
  const replaces = renewal && certificate.chain ? ariIdOf(certificate.chain) : undefined
  try {
    let made = await place(work, acme, certificate.email, names, replaces)
    const failed = await prove(work, acme, made, orderId, checks)
    if (failed.length) {
      await keep(work, orderId, { refusedNames: failed.map(({ name }) => name) })
      missing.push(...settle(input, failed, say))
      names = orderedNames(input, missing)
      made = await place(work, acme, certificate.email, names)
      const again = await prove(work, acme, made, orderId, checks)
      if (again.length) throw new Error(wordsOf(again, names.length))
    }
    const { key, csr } = await signingRequest(names)
    work.fence()
    const chain = factsIn(await acme.finalize(made, csr), key, names)
    await app.secrets.write(app.db, input.keyName, key)
    await keep(work, orderId, { ...order, names: names.toSorted(), ...chain, missing, outcome: 'issued' })
    say(`${acme.host} has issued it for ${names.join(', ')}, until ${dayText(chain.notAfter)}`)
    return answerOf(chain.chain, missing, input.served)
  } finally {
    await unplant(work, orderId)
  }
}

/** Finds the row of this order. The order of a rename gets its row here, at the first attempt. */
async function orderOf({ certificateId, keyName, required, others }: Ordered, { app: { db } }: Work) {
  const [known] = await db.select().from(certificateOrders).where(eq(certificateOrders.secret, keyName))
  if (known) return known
  const [made] = await db
    .insert(certificateOrders)
    .values({
      ...{ certificateId, secret: keyName, outcome: 'running', names: [...required, ...others] },
      workflowId: sql`(select max(workflow_id) from actions where name = 'certificate.order' and input ->> 'keyName' = ${keyName})`,
    })
    .returning()
  if (!made) throw new Error('an order was not saved')
  return made
}

/** Signs a self-signed certificate locally, without an authority. */
async function signHere({ keyName, required, others, served }: Ordered, orderId: number, work: Work) {
  const { app, say, fence } = work
  const names = [...required, ...others]
  const { key, pem } = await selfSigned(names)
  const { chain, fingerprint, notAfter } = factsIn(pem, key, names)
  fence()
  await app.secrets.write(app.db, keyName, key)
  await keep(work, orderId, { chain, fingerprint, notAfter, names: names.toSorted(), outcome: 'issued' })
  say(`Signed by itself for ${names.join(', ')}, until ${dayText(notAfter)}`)
  return answerOf(chain, [], served)
}

const keep = ({ app }: Work, id: number, change: Partial<typeof certificateOrders.$inferInsert>) =>
  app.db.update(certificateOrders).set(change).where(eq(certificateOrders.id, id))

/** Throws when a required name failed; returns the other failed names, which are left out. */
function settle({ required, others }: Ordered, failed: Failure[], say: Work['say']): Failure[] {
  const needed = failed.filter(({ name }) => required.includes(name))
  if (needed.length) throw new Error(wordsOf(needed, required.length + others.length))
  for (const { name, reason } of failed) say(`${name} is left out: ${reason}`)
  return failed
}

const wordsOf = (failed: readonly Failure[], of: number) =>
  [
    `${failed.length} of ${of} ${of === 1 ? 'name' : 'names'} could not be proved. Nothing was issued, and the present certificate stays in use.`,
    ...failed.map(({ name, reason }) => `${name}: ${reason}`),
  ].join('\n')

/** Places an order as a renewal; as a new order when the directory does not support renewals or refuses this one. */
async function place(
  { app }: Work,
  acme: Acme,
  email: string | null,
  names: string[],
  replaces?: string,
): Promise<Order> {
  const order = (instead?: string) => withAccount(app, acme, email, () => acme.newOrder(names, instead))
  if (!replaces || !(await acme.directory()).renewalInfo) return order()
  return order(replaces).catch((error: unknown) => {
    if (error instanceof AcmeProblem && ['malformed', 'alreadyReplaced', 'unauthorized'].includes(error.type))
      return order()
    throw error
  })
}

/** Proves each name that the authority has not validated yet. Returns the names that failed. */
async function prove(
  work: Work,
  acme: Acme,
  { authorizations }: Order,
  orderId: number,
  checks: readonly NameCheck[],
): Promise<Failure[]> {
  const { app, say } = work
  const thumbprint = await readThumbprint(app, app.db)
  const open: { authorization: Authorization; url: string }[] = []
  const proofs: Proof[] = []
  for (const url of authorizations) {
    const authorization = await acme.authorization(url)
    if (authorization.status === 'valid') continue
    const name = nameOf(authorization)
    const way = authorization.wildcard ? 'dns-01' : (checks.find((one) => one.name === name)?.challenge ?? 'http-01')
    const challenge = authorization.challenges.find(({ type }) => type === way)
    if (!challenge?.token) throw new Error(`${acme.host} offers no ${way} for ${name}`)
    if (way === 'dns-01') proofs.push({ owner: ownerOf(name), value: txtOf(challenge.token, thumbprint) })
    open.push({ authorization, url: challenge.url })
  }
  if (proofs.length) await plant(work, orderId, proofs)
  work.fence()
  for (const { url } of open) await acme.respond(url)
  const failed: Failure[] = []
  for (const { authorization } of open) {
    const { status, challenges } = await acme.decided(authorization.url)
    const name = nameOf(authorization)
    if (status === 'valid') {
      say(`${name} is proved`)
      continue
    }
    const error = challenges.find((one) => one.error)?.error
    failed.push({ name, reason: error ? challengeWords(error.type, error.detail) : `its proof is ${status}` })
  }
  return failed
}

const nameOf = ({ identifier, wildcard }: Authorization) =>
  wildcard ? `*.${identifier.value.replace(/^\*\./, '')}` : identifier.value

/** Checks that the issued certificate is for our key and our names: an authority can make mistakes. */
function factsIn(pem: string, key: string, names: readonly string[]) {
  const [leaf, ...rest] = certificatesIn(pem) ?? []
  if (!leaf) throw new Error('The authority did not send a certificate')
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error('The authority has signed another key than the requested one')
  const { chain, fingerprint, notAfter, names: covered } = factsOf([leaf, ...rest])
  const left = names.find((name) => !covers(covered, name))
  if (left) throw new Error(`The authority has left ${left} out of the certificate`)
  return { chain, fingerprint, notAfter }
}

export function answerOf(pem: string, missing: readonly Failure[], served: readonly string[]) {
  const [leaf, ...rest] = certificatesIn(pem) ?? []
  if (!leaf) throw new Error('the stored chain is not a certificate')
  const { chain, fingerprint, notAfter, names } = factsOf([leaf, ...rest])
  return { chain, fingerprint, notAfter, names, missing, shown: served.filter((name) => covers(names, name)) }
}
