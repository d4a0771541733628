import { createHmac, randomBytes } from 'node:crypto'
import type { Reach } from './reach.ts'
import { type Answer, type Asked, send } from './send.ts'

const PREFIX = 'whsec_'

export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

/** The signature of Standard Webhooks: `v1,…`, one for each secret, separated by spaces. */
export function signed(secrets: readonly string[], id: string, at: number, body: string): string {
  const under = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${under(secret)}`).join(' ')
}

interface Message extends Pick<Asked, 'url' | 'patienceMs' | 'mostBytes' | 'tls'> {
  /** The same in every attempt, so that a receiver recognises a repetition. */
  id: string
  body: string
  secrets: readonly string[]
  userAgent: string
  type?: string
}

/** Posts a message that its receiver can verify. */
export function sendSigned(
  reach: Reach,
  { id, body, secrets, userAgent, type = 'application/json', ...to }: Message,
): Promise<Answer> {
  const at = Math.floor(Date.now() / 1000)
  return send(reach, {
    ...to,
    method: 'POST',
    headers: {
      'content-type': type,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signed(secrets, id, at, body),
    },
    body,
    longer: 'cut',
  })
}
