import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Secrets } from '../app/secrets.ts'
import { type Db, rows } from '../db/db.ts'
import { notFound } from './errors.ts'

const SECONDS = 60

/** What a ticket opens: a path of the API, and the query values that it binds. */
export interface TicketTarget {
  path: string
  query?: Record<string, unknown>
  /** A ticket of a call of its own, which the action log records; see `TicketKind` of the contract. */
  isRecorded?: boolean
}

/**
 * Tickets for downloads that a browser opens without a token. A ticket opens one download of one target within a minute,
 * for one session, which must still be valid. The permissions of the session are checked as for any call.
 */
export interface Tickets {
  issue(target: TicketTarget, sessionKey: string): { ticket: string; expiresAt: string }
  /** Uses the ticket and returns its session key. A used, expired or foreign ticket is a 404, which reveals nothing. */
  open(db: Db, ticket: string, target: TicketTarget): Promise<string>
}

/** The key is stored as a secret, so that a ticket is valid on every node. */
export async function openTickets(db: Db, secrets: Secrets): Promise<Tickets> {
  const key = await secrets.readOrMake(db, 'tickets', () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
  )
  return ticketsUnder(key)
}

export function ticketsUnder(key: string): Tickets {
  const seal = ({ path, query = {}, isRecorded = false }: TicketTarget, head: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([head, path, isRecorded, Object.entries(query).toSorted()]))
      .digest('base64url')
  return {
    issue(target, sessionKey) {
      const ends = Date.now() + SECONDS * 1000
      const head = `${ends}.${crypto.randomUUID().slice(0, 8)}.${sessionKey}`
      return { ticket: `${head}.${seal(target, head)}`, expiresAt: new Date(ends).toISOString() }
    },
    async open(db, ticket, target) {
      const [, head, ends, sessionKey, given] =
        /^((\d{13})\.[\da-f]{8}\.([\w-]{1,60}))\.([\w-]{43})$/.exec(ticket) ?? []
      if (!head || !sessionKey || !given) throw notFound('file')
      const good = timingSafeEqual(Buffer.from(seal(target, head)), Buffer.from(given))
      if (!good || Number(ends) < Date.now() || !(await use(db, given, Number(ends)))) throw notFound('file')
      return sessionKey
    },
  }
}

/** Notes that a ticket was used, and forgets expired ones. False if the ticket had been used, on whichever node. */
async function use(db: Db, seal: string, ends: number): Promise<boolean> {
  const [first] = await rows(
    db,
    sql`with expired as (delete from used_tickets where expires_at < now() - interval '1 minute')
      insert into used_tickets (seal, expires_at) values (${seal}, ${new Date(ends).toISOString()})
      on conflict do nothing returning seal`,
  )
  return first !== undefined
}
