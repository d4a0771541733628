import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { awaited, codeOf, must, onceThere, patience, read } from '../../kit/host.ts'

export const keyFile = '/etc/innkeeper/powerdns.key'
export const apiPort = 8081

/** The API key: generated once, readable by root only. */
export const powerdnsKey = async (): Promise<string> => (await read(keyFile)) ?? randomBytes(32).toString('base64url')

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The HTTP status and the reason that PowerDNS answered. */
export class PowerdnsRefusal extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(`PowerDNS answers ${status}: ${reason}`)
    this.status = status
  }
}

/** Retries of a change that collided with another one, and the longest pause between them. */
const TRIES = 20
const APART_MS = 100

/**
 * Calls the API below `/servers/localhost`. Throws the error text of PowerDNS. PowerDNS reads a zone before it changes
 * the zone, in one transaction. If another write comes between, SQLite refuses at once ("database is locked" in the
 * log, a bare 500 here) and nothing has changed, so a retry is safe.
 */
export async function powerdnsCall<T>(path: string, method: Method = 'GET', body?: unknown): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await onceThere(engineFor(method), () => callOnce<T>(path, method, body))
    } catch (error) {
      const again = error instanceof PowerdnsRefusal && error.status === 500 && repeatable.includes(method)
      if (!again || tries === TRIES) throw error
      await sleep(Math.random() * APART_MS)
    }
}
const repeatable: readonly Method[] = ['PUT', 'PATCH', 'DELETE']

const engineFor = (method: Method) => ({
  title: 'PowerDNS',
  unit: () => 'pdns',
  isAway: (error: unknown) => tookNothing(error, method),
  probe: () => callOnce('', 'GET', undefined),
})

/** Whether no server was there, or it died under a call that may be repeated. */
function tookNothing(error: unknown, method: Method): boolean {
  const code = error instanceof Error ? codeOf(error.cause) : undefined
  return code === 'ECONNREFUSED' || (method !== 'POST' && (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'))
}

async function callOnce<T>(path: string, method: Method, body: unknown): Promise<T> {
  const key = await read(keyFile)
  if (key === undefined) throw new Error('PowerDNS is not set up on this server: set up its base first')
  const asking = fetch(`http://127.0.0.1:${apiPort}/api/v1/servers/localhost${path}`, {
    method,
    // a kept connection may belong to a PowerDNS that died
    headers: {
      'x-api-key': key,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // a large zone takes a slow server minutes to write; a change is never given up halfway
    signal: AbortSignal.timeout(method === 'GET' ? patience.stillMs : patience.longMs),
  })
  const answer = await awaited('waits until PowerDNS answers', asking)
  const text = await answer.text()
  if (!answer.ok) throw new PowerdnsRefusal(answer.status, reasonIn(text))
  return (text ? JSON.parse(text) : undefined) as T // the caller states the type of the answer
}

/** Answers undefined on 404. */
export async function powerdnsFind<T>(path: string): Promise<T | undefined> {
  return powerdnsCall<T>(path).catch((error: unknown) => {
    if (error instanceof PowerdnsRefusal && error.status === 404) return undefined
    throw error
  })
}

function reasonIn(text: string): string {
  try {
    const { error, errors } = JSON.parse(text) as { error?: string; errors?: string[] } // the error format of the API
    return [error, ...(errors ?? [])].filter(Boolean).join('; ')
  } catch {
    return text.slice(0, 300)
  }
}

const KEY_NAME = 'innkeeper'
interface Key {
  id: string
  key: string
  algorithm: string
}

/** Deletes a TSIG key, if there is one. */
export async function forgetTransferKey(name: string): Promise<void> {
  if (await powerdnsFind<Key>(`/tsigkeys/${name}.`)) await powerdnsCall(`/tsigkeys/${name}.`, 'DELETE')
}

/** Stores a TSIG key for transfers, under Innkeeper's name by default; answers the key's id. */
export async function ensureTransferKey(key: string, name = KEY_NAME): Promise<string> {
  const id = `${name}.`
  const wanted = { name, algorithm: 'hmac-sha256', key }
  const known = await powerdnsFind<Key>(`/tsigkeys/${id}`)
  if (!known) await powerdnsCall('/tsigkeys', 'POST', wanted)
  else if (known.key !== key || known.algorithm !== wanted.algorithm)
    await powerdnsCall(`/tsigkeys/${id}`, 'PUT', { algorithm: wanted.algorithm, key })
  return id
}

/**
 * Purges what PowerDNS remembers of the zone: "no such zone" for 20 s, even when the API creates or deletes the zone, and its keys
 * and the kind of its denial for a minute. PowerDNS forgets the latter before it writes a change, so that a query in between
 * brings the former state back.
 */
export const forgetAnswers = async (domain: string): Promise<void> => {
  await must(['pdns_control', 'purge', `${domain}$`])
}
