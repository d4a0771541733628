import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { AcmeAway, AcmeProblem, problemOf } from './problem.ts'
import { type Answer, ask } from './wire.ts'

/*
 * ACME (RFC 8555) with renewal information (RFC 9773), on node's own crypto. No library, because the library that we
 * tried silently waits out the Retry-After of a rate limit, for hours, and drops the name that a refusal is about.
 */

const Directory = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  revokeCert: z.url().optional(),
  renewalInfo: z.url().optional(),
  meta: z.object({ caaIdentities: z.array(z.string()).optional(), profiles: z.unknown().optional() }).optional(),
})
export type Directory = z.output<typeof Directory>

const problem = z.object({ type: z.string().default(''), detail: z.string().default('') })
const Order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem.optional(),
})
export type Order = z.output<typeof Order> & { url: string }
const Authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ value: z.string() }),
  wildcard: z.boolean().optional(),
  challenges: z.array(
    z.object({
      type: z.string(),
      url: z.url(),
      token: z.string().optional(),
      status: z.string(),
      error: problem.optional(),
    }),
  ),
})
export type Authorization = z.output<typeof Authorization> & { url: string }
const RenewalInfo = z.object({
  suggestedWindow: z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
})

export interface AcmeOptions {
  /** URL of the ACME directory. */
  directory: string
  /** ECDSA P-256, PKCS #8. */
  accountKey: string
  accountUrl?: string | undefined
  ca?: string | undefined
  signal?: AbortSignal | undefined
}
/** Half a second at first, then more and more: an authority that still works is waited for, about eight minutes. */
const POLL_MS = 500
const SLOWEST_MS = 5000
const POLLS = 120

/** Client of one authority. Throws AcmeProblem for a refusal, AcmeAway when the authority does not answer. */
export class Acme {
  readonly host: string
  readonly #options: AcmeOptions
  readonly #key: KeyObject
  #directory: Directory | undefined
  #nonce: string | undefined
  #ordered = false
  accountUrl: string | undefined

  constructor(options: AcmeOptions) {
    this.#options = options
    this.#key = createPrivateKey(options.accountKey)
    this.host = new URL(options.directory).host
    this.accountUrl = options.accountUrl
  }

  async directory(): Promise<Directory> {
    if (this.#directory) return this.#directory
    const answer = await this.#ask(this.#options.directory, 'GET')
    if (answer.status !== 200) throw problemOf(answer, this.host)
    const read = Directory.safeParse(json(answer))
    if (!read.success)
      throw new AcmeProblem(answer.status, { detail: 'what it answers is no ACME directory' }, this.host)
    this.#directory = read.data
    return read.data
  }

  /** Finds or registers the account of our key. Whoever configures the directory agrees to its terms. */
  async account(email?: string | null): Promise<string> {
    const { newAccount } = await this.directory()
    const contact = email ? { contact: [`mailto:${email}`] } : {}
    const { headers } = await this.#post(newAccount, { termsOfServiceAgreed: true, ...contact }, true)
    const { location } = headers
    if (!location) throw new AcmeProblem(200, { detail: 'it sent no URL of the account' }, this.host)
    this.accountUrl = location
    return location
  }

  /** `replaces`: the ARI id of the certificate that the new one replaces. */
  async newOrder(names: readonly string[], replaces?: string): Promise<Order> {
    const { newOrder } = await this.directory()
    const identifiers = names.map((value) => ({ type: 'dns', value }))
    const answer = await this.#post(newOrder, { identifiers, ...(replaces && { replaces }) })
    this.#ordered = true
    return { ...Order.parse(json(answer)), url: answer.headers.location ?? '' }
  }

  async authorization(url: string): Promise<Authorization> {
    return { ...Authorization.parse(json(await this.#post(url))), url }
  }

  /** Asks the authority to validate a challenge that is already set up. */
  async respond(challengeUrl: string): Promise<void> {
    await this.#post(challengeUrl, {})
  }

  /** Waits until the authorization of a name is valid or invalid. */
  async decided(url: string): Promise<Authorization> {
    for (let polls = 0; polls < POLLS; polls++) {
      const now = await this.authorization(url)
      if (now.status !== 'pending') return now
      await this.#wait(polls)
    }
    throw new AcmeProblem(0, { detail: 'it has not validated a name within eight minutes' }, this.host)
  }

  /** Finalizes the order with the CSR; returns the chain as PEM. */
  async finalize(order: Order, csr: Buffer): Promise<string> {
    let now = Order.parse(json(await this.#post(order.finalize, { csr: csr.toString('base64url') })))
    for (let polls = 0; polls < POLLS && (now.status === 'processing' || now.status === 'ready'); polls++) {
      await this.#wait(polls)
      now = Order.parse(json(await this.#post(order.url)))
    }
    if (now.status !== 'valid' || !now.certificate)
      throw new AcmeProblem(200, now.error ?? { detail: `the order is ${now.status}` }, this.host)
    return (await this.#post(now.certificate)).text
  }

  /**
   * Revokes a certificate (DER); `reason` is a code of RFC 5280 §5.3.1. Signed with the certificate's own key or the
   * account key.
   */
  async revoke(certificate: Buffer, reason: number): Promise<void> {
    const { revokeCert } = await this.directory()
    if (!revokeCert) throw new AcmeProblem(404, { detail: 'it supports no revocation' }, this.host)
    await this.#post(revokeCert, { certificate: certificate.toString('base64url'), reason })
  }

  /** The window in which the authority suggests renewal; undefined when the authority gives none. */
  async renewalWindow(ariId: string): Promise<{ start: string; end: string } | undefined> {
    const { renewalInfo } = await this.directory()
    if (!renewalInfo) return undefined
    const answer = await this.#ask(`${renewalInfo.replace(/\/$/, '')}/${ariId}`, 'GET')
    const read = answer.status === 200 ? RenewalInfo.safeParse(json(answer)) : undefined
    return read?.data?.suggestedWindow
  }

  async #post(url: string, payload?: unknown, byKey = false): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const nonce = this.#nonce ?? (await this.#newNonce())
      this.#nonce = undefined
      const who = byKey || !this.accountUrl ? { jwk: jwkOf(this.#key) } : { kid: this.accountUrl }
      const head = encode({ alg: 'ES256', nonce, url, ...who })
      const body = payload === undefined ? '' : encode(payload)
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: this.#key, dsaEncoding: 'ieee-p1363' })
      const signed = JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') })
      const answer = await this.#ask(url, 'POST', signed)
      if (answer.status < 400) return answer
      const problem = problemOf(answer, this.host)
      if (problem.type !== 'badNonce' || tries >= 5) throw problem
    }
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.directory()
    const answer = await this.#ask(newNonce, 'HEAD')
    if (answer.status >= 400) throw problemOf(answer, this.host)
    if (!this.#nonce) throw new AcmeProblem(200, { detail: 'it sent no nonce' }, this.host)
    return this.#nonce
  }

  async #ask(url: string, method: 'GET' | 'HEAD' | 'POST', body?: string): Promise<Answer> {
    const { ca, signal } = this.#options
    const answer = await ask(url, { method, ...(body !== undefined && { body }), ca, signal }).catch(
      (error: unknown) => {
        throw new AcmeAway(this.host, error, this.#ordered)
      },
    )
    const nonce = answer.headers['replay-nonce']
    if (typeof nonce === 'string') this.#nonce = nonce
    return answer
  }

  #wait(polls: number): Promise<void> {
    return sleep(Math.min(SLOWEST_MS, POLL_MS * 1.05 ** polls), undefined, { signal: this.#options.signal })
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function json({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the schema of the answer refuses undefined
  }
}

/** The public key as JWK, its members in the order that a thumbprint requires (RFC 7638). */
function jwkOf(key: KeyObject): { crv: string; kty: string; x: string; y: string } {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { crv, kty, x, y }
}

/** The thumbprint of the account key: part of every http-01 and dns-01 answer. */
export const thumbprintOf = (accountKey: string): string =>
  createHash('sha256')
    .update(JSON.stringify(jwkOf(createPrivateKey(accountKey))))
    .digest('base64url')

/** The content of the TXT record of a dns-01 challenge. */
export const txtOf = (token: string, thumbprint: string): string =>
  createHash('sha256').update(`${token}.${thumbprint}`).digest('base64url')
