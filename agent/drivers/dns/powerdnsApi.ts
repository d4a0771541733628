import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { must, read } from '../../kit/host.ts'

export const keyFile = '/etc/innkeeper/powerdns.key'
export const apiPort = 8081

/** Made at first sight, and the same ever after: root's alone. */
export const powerdnsKey = async (): Promise<string> => (await read(keyFile)) ?? randomBytes(32).toString('base64url')

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The status that PowerDNS answered, with its reason in words. */
export class PowerdnsRefusal extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(`PowerDNS answers ${status}: ${reason}`)
    this.status = status
  }
}
const PATIENCE_MS = 30_000

/** As often, and so far apart at most, a change is made anew that another one came before. */
const TRIES = 20
const APART_MS = 100

/**
 * A call of the API below `/servers/localhost`, which listens on loopback alone. Throws what it complains of.
 *
 * PowerDNS reads a zone before it changes it, in one transaction, and SQLite turns that away at once where anything else
 * was written in between: "database is locked" in its log, a bare 500 here. Nothing was done then, and what replaces or
 * deletes may be asked again.
 */
export async function powerdnsCall<T>(path: string, method: Method = 'GET', body?: unknown): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await callOnce<T>(path, method, body)
    } catch (error) {
      const again = error instanceof PowerdnsRefusal && error.status === 500 && repeatable.includes(method)
      if (!again || tries === TRIES) throw error
      await sleep(Math.random() * APART_MS)
    }
}
const repeatable: readonly Method[] = ['PUT', 'PATCH', 'DELETE']

async function callOnce<T>(path: string, method: Method, body: unknown): Promise<T> {
  const key = await read(keyFile)
  if (key === undefined) throw new Error('PowerDNS is not set up on this server: its base comes first')
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/v1/servers/localhost${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const text = await answer.text()
  if (!answer.ok) throw new PowerdnsRefusal(answer.status, reasonIn(text))
  return (text ? JSON.parse(text) : undefined) as T // the caller names what this path answers
}

/** Undefined where there is no such thing. */
export async function powerdnsFind<T>(path: string): Promise<T | undefined> {
  return powerdnsCall<T>(path).catch((error: unknown) => {
    if (error instanceof PowerdnsRefusal && error.status === 404) return undefined
    throw error
  })
}

function reasonIn(text: string): string {
  try {
    const { error, errors } = JSON.parse(text) as { error?: string; errors?: string[] } // as the API writes it
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

/** The key that transfers are signed with stands here under our name; answers its id. */
export async function ensureTransferKey(key: string): Promise<string> {
  const id = `${KEY_NAME}.`
  const wanted = { name: KEY_NAME, algorithm: 'hmac-sha256', key }
  const known = await powerdnsFind<Key>(`/tsigkeys/${id}`)
  if (!known) await powerdnsCall('/tsigkeys', 'POST', wanted)
  else if (known.key !== key || known.algorithm !== wanted.algorithm)
    await powerdnsCall(`/tsigkeys/${id}`, 'PUT', { algorithm: wanted.algorithm, key })
  return id
}

/**
 * PowerDNS remembers for 20 s that it has no such zone, also when somebody asked just before it was made; making or
 * deleting one by the API does not make it forget that.
 */
export const forgetAnswers = async (domain: string): Promise<void> => {
  await must(['pdns_control', 'purge', `${domain}$`])
}
