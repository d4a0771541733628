import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../app/secrets.ts'
import type { Db } from '../db/db.ts'
import { notFound } from './errors.ts'

const SECONDS = 60

/**
 * A download that a browser opens by itself sends no token. It shows a ticket: for one path, for a minute, for one session,
 * which has to be good still. What that session may see is asked as ever.
 */
export interface Tickets {
  issue(path: string, sessionKey: string): { ticket: string; expiresAt: string }
  /** The session that it stands for. An old or foreign one is a 404: it says nothing of what is there. */
  open(ticket: string, path: string): string
}

/** The key is kept with the other secrets, so that a ticket holds on every node. */
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
