import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { type Endpoint, statusOf, takesIdempotencyKey } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Staff } from '../access/sessions.ts'
import type { App } from '../app/app.ts'
import { type Db, rows } from '../db/db.ts'
import { conflict, invalid, Refusal } from './errors.ts'

const HEADER = 'idempotency-key'
/** Hours for which the first answer is given again. */
export const KEPT_HOURS = 24

/** The `Idempotency-Key` of a request; undefined without one. Refuses a key on a call that could run twice anyway. */
export function idempotencyKeyOf(endpoint: Endpoint, { headers }: FastifyRequest): string | undefined {
  const key = headers[HEADER]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid({ [HEADER]: '1 to 255 letters, digits and signs' })
  if (!takesIdempotencyKey(endpoint)) throw invalid({ [HEADER]: 'This call takes no Idempotency-Key' })
  return key
}

interface Asked {
  staff: Staff
  endpoint: Endpoint
  key: string
  input: unknown
  reply: Pick<FastifyReply, 'header'>
}
interface Done {
  status: number
  answer: unknown
}

/**
 * Runs a creating call once per key, in the transaction of the call: the same request gets the first answer again, and
 * a call that fails leaves no trace of its key. `work` returns the answer and its status.
 */
export async function once(
  app: App,
  tx: Db,
  { staff, endpoint, key, input, reply }: Asked,
  work: () => Promise<Done>,
): Promise<Done & { isAgain: boolean }> {
  const actor = staff.token ? `token ${staff.token.id}` : `user ${staff.id}`
  const hash = sha256(key)
  const request = sha256(JSON.stringify([endpoint.method, endpoint.path, canonical(input)]))
  const [lock] = await rows<{ got: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${actor} ${hash}`}, 40)) as got`,
  )
  if (!lock?.got) {
    reply.header('retry-after', 1)
    throw conflict('The first request with this Idempotency-Key is still running. Try again in a moment.')
  }
  const [known] = await rows<{ request: string; status: number; answer: string }>(
    tx,
    sql`select request, status, answer from idempotency_keys
      where actor = ${actor} and key = ${hash} and created_at > now() - make_interval(hours => ${KEPT_HOURS})`,
  )
  if (known) {
    if (known.request !== request)
      throw new Refusal(422, {
        code: 'idempotency-key',
        message: 'This Idempotency-Key belongs to another request',
        fields: { [HEADER]: 'Belongs to another request. Make a new key for each request.' },
      })
    reply.header('idempotency-replayed', 'true')
    return { status: known.status, answer: opened(app, key, known.answer), isAgain: true }
  }
  const done = await work()
  await tx.execute(sql`insert into idempotency_keys (actor, key, request, status, answer)
    values (${actor}, ${hash}, ${request}, ${done.status}, ${sealed(app, key, done.answer)})
    on conflict (actor, key) do update set request = excluded.request, status = excluded.status,
      answer = excluded.answer, created_at = now()`)
  return { ...done, isAgain: false }
}

/**
 * Forgets all answers, because no one can tell which of the sealed answers name a person who is being erased. The requests
 * stay known, so that none is carried out twice.
 */
export async function forgetAnswers(tx: Db): Promise<void> {
  await tx.execute(sql`update idempotency_keys set answer = '' where answer <> ''`)
}

/** Status of an answer for which the handler chose none. */
export const usualStatus = (endpoint: Endpoint, answer: unknown): number =>
  statusOf(endpoint) ?? (answer === undefined ? 204 : 200)

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The input with sorted keys. A file counts by its content, because its storage key differs each time. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  if ('sha256' in value && 'key' in value && 'name' in value) return { sha256: value.sha256, name: value.name }
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, held]) => [name, canonical(held)]),
  )
}

/** Answers may contain what is shown once, such as the value of a token: only the sender’s key opens them. */
const keyFor = ({ settings }: App, key: string) =>
  Buffer.from(hkdfSync('sha256', `${settings.key}\n${key}`, '', 'innkeeper idempotency', 32))

function sealed(app: App, key: string, answer: unknown): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(app, key), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify({ answer })), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
}

function opened(app: App, key: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(app, key), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const json = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()
    return (JSON.parse(json) as { answer?: unknown }).answer // written by sealed
  } catch {
    throw conflict(
      'The request was carried out. Its answer cannot be given again: Innkeeper’s key has changed since, or a customer was erased',
    )
  }
}
