import * as z from 'zod'
import type { Answer } from './wire.ts'

const Problem = z.object({
  type: z.string().optional(),
  detail: z.string().optional(),
  subproblems: z
    .array(z.object({ detail: z.string().optional(), identifier: z.object({ value: z.string() }).optional() }))
    .optional(),
})

/** A refusal by an authority (RFC 7807), worded for people. */
export class AcmeProblem extends Error {
  /** The last part of the problem type: `rateLimited`, `caa`. */
  readonly type: string
  readonly status: number
  /** For a rate limit: when the next request is allowed. */
  readonly retryAt: Date | undefined
  /** The names that the refusal is about, each with its reason; empty if it is about the whole order. */
  readonly names: { name: string; reason: string }[]

  constructor(status: number, body: unknown, host: string, retryAfter?: string) {
    const read = Problem.safeParse(body)
    const { type = '', detail = `HTTP ${status}`, subproblems = [] } = read.data ?? {}
    const word = type.split(':').at(-1) || (status === 429 ? 'rateLimited' : '')
    const retryAt = retryTime(retryAfter)
    super(words(word, detail, host, retryAt))
    this.type = word
    this.status = status
    this.retryAt = retryAt
    this.names = subproblems.flatMap(({ identifier, detail: reason = detail }) =>
      identifier ? [{ name: identifier.value, reason }] : [],
    )
  }
}

/** The authority gave no answer at all. */
export class AcmeAway extends Error {
  constructor(host: string, cause: unknown, ordered: boolean) {
    const left = ordered
      ? 'Its order stays unfinished, and the present certificate stays in use'
      : 'Nothing was ordered'
    // without `cause`, because people would see the cause instead of this message
    super(`${host} does not answer: ${reasonOf(cause)}. ${left}`)
  }
}

export function problemOf({ status, headers, text }: Answer, host: string): AcmeProblem {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = { detail: `HTTP ${status}` } // the error page of a proxy
  }
  return new AcmeProblem(status, body, host, headers['retry-after'])
}

/** Explains why the authority could not validate one name. */
export function challengeWords(type: string, detail: string): string {
  const plain: Record<string, string> = {
    connection: 'The authority cannot connect to the website',
    dns: 'The authority finds no address of the name',
    unauthorized: 'The authority received a wrong answer',
    incorrectResponse: 'The authority received a wrong answer',
    caa: 'Its CAA records forbid this authority',
    tls: 'The authority received no TLS answer',
  }
  const word = type.split(':').at(-1) ?? ''
  return plain[word] ? `${plain[word]}: ${detail}` : detail
}

function words(type: string, detail: string, host: string, retryAt: Date | undefined): string {
  const again = retryAt ? ` It may be asked again ${retryAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.` : ''
  if (type === 'rateLimited') return `${host} has reached a rate limit: ${detail}.${again}`
  if (type === 'rejectedIdentifier') return `${host} gives no certificate for such a name: ${detail}`
  if (type === 'serverInternal' || !type) return `${host} has a fault of its own: ${detail}.${again}`
  return `${host} refuses: ${detail}`
}

function retryTime(text: string | undefined, now = Date.now()): Date | undefined {
  if (!text) return undefined
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text)
  return Number.isFinite(at) && at > now ? new Date(at) : undefined
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const plain: Record<string, string> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'its name has no address',
    EAI_AGAIN: 'its name could not be looked up',
    ECONNRESET: 'the connection broke off',
    SELF_SIGNED_CERT_IN_CHAIN: 'its own certificate is not trusted',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its own certificate is not trusted',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its own certificate is not trusted',
    CERT_HAS_EXPIRED: 'its own certificate has expired',
  }
  return plain[code] ?? (cause instanceof Error ? cause.message : String(cause))
}
