/** The database is down, starting or ending us, or chose us to break a deadlock: the same call may succeed in a moment. */
export function isAway(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (/^(08|53|57P|40)|^E[A-Z]+$/.test(code)) return true
    if (/^(Connection terminated|Client has encountered a connection error|timeout exceeded)/.test(e.message))
      return true
  }
  return false
}

/** What is wrong, without the statement and its values that Drizzle puts around it. */
export const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? rootOf(error.cause) : error.message
}

/** The SQL state of a failed statement, as `23505` for a name that is taken, wherever the driver put it. */
export function sqlState(error: unknown): { code: string; constraint?: string } | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code))
      return { code: e.code, constraint: 'constraint' in e ? String(e.constraint) : undefined }
  }
  return undefined
}
