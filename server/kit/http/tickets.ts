import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../app/secrets.ts'
import type { Db } from '../db/db.ts'
import { notFound } from './errors.ts'

const SECONDS = 60

/**
 * Tickets for downloads that a browser opens without a token. A ticket is valid for one path, one minute and one
 * session, which must still be valid. The permissions of the session are checked as for any call.
 */
export interface Tickets {
  issue(path: string, sessionKey: string): { ticket: string; expiresAt: string }
  /** Returns the session key. An expired or foreign ticket is a 404, which reveals nothing about the path. */
  open(ticket: string, path: string): string
}

/** The key is stored as a secret, so that a ticket is valid on every node. */
export async function openTickets(db: Db, secrets: Secrets): Promise<Tickets> {
  const key = await secrets.readOrMake(db, 'tickets', () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
  )
  return ticketsUnder(key)
}

export function ticketsUnder(key: string): Tickets {
  const seal = (path: string, head: string) => createHmac('sha256', key).update(`${head}\n${path}`).digest('base64url')
  return {
    issue(path, sessionKey) {
      const ends = Date.now() + SECONDS * 1000
      const head = `${ends}.${sessionKey}`
      return { ticket: `${head}.${seal(path, head)}`, expiresAt: new Date(ends).toISOString() }
    },
    open(ticket, path) {
      const [, head, ends, sessionKey, given] = /^((\d{13})\.([\w-]{1,60}))\.([\w-]{43})$/.exec(ticket) ?? []
      if (!head || !sessionKey || !given) throw notFound('file')
      const good = timingSafeEqual(Buffer.from(seal(path, head)), Buffer.from(given))
      if (!good || Number(ends) < Date.now()) throw notFound('file')
      return sessionKey
    },
  }
}
