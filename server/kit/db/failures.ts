import { DrizzleQueryError } from 'drizzle-orm'

/** Codes of a broken connection. Errors of files, such as ENOENT, EACCES and ENOSPC, have codes of the same shape. */
const broken =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOST(UNREACH|DOWN)|NET(UNREACH|DOWN|RESET)|NOTFOUND|AI_AGAIN)$/

/** True if the database is down, starting, ending the connection, or resolved a deadlock: a retry may succeed. */
export function isAway(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (/^(08|53|57P|40)/.test(code) || broken.test(code)) return true
    // the socket file of a stopped server is missing: ENOENT
    if ('syscall' in e && (e.syscall === 'connect' || e.syscall === 'getaddrinfo')) return true
    if (/^(Connection terminated|Client has encountered a connection error|timeout exceeded)/.test(e.message))
      return true
  }
  return false
}

/** Message of the root cause, without the statement and values that Drizzle adds. */
export const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? rootOf(error.cause) : error.message
}

/** The database cannot be used. The message names the setting, the place and PostgreSQL's reason. */
export class NoDatabase extends Error {}

const LONG = 500

/**
 * Why something failed, for people: the message of the outermost error, without the statement and values that Drizzle
 * adds, with the key that PostgreSQL names and with each address of a failed connection.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DrizzleQueryError && error.cause) return reasonOf(error.cause)
  if (error instanceof AggregateError && !error.message) return [...new Set(error.errors.map(reasonOf))].join(', ')
  const detail = 'detail' in error && typeof error.detail === 'string' && /^Key /.test(error.detail) ? error.detail : ''
  const text = [error.message || error.name, detail].filter(Boolean).join('. ')
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}

/** The SQL state of a failed statement, for example `23505` for a unique violation, and its constraint. */
export function sqlState(error: unknown): { code: string; constraint?: string } | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code))
      return { code: e.code, constraint: 'constraint' in e ? String(e.constraint) : undefined }
  }
  return undefined
}
