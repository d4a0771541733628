import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/**
 * What has to be free before the embedded database writes: two files of its journal. It can refuse a row that it has no
 * room for; without room for the next file of its journal it dies, and takes the process with it.
 */
const WANTED = 32 * 1_048_576

/** As PostgreSQL itself says it: SQL state 53100. */
export class DiskFull extends Error {
  readonly code = '53100'
  constructor(folder: string) {
    super(`The disk of ${folder} is full: the database wants ${WANTED / 1_048_576} MiB free before it writes`)
  }
}

/** Throws DiskFull. */
export function checkRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < WANTED) throw new DiskFull(folder)
}

/** Has the database look for room before each transaction and each statement of its own that writes; reading goes on. */
export function keepRoom(lite: PGlite, folder: string, died: (error: unknown) => void = endNow): void {
  const { query, transaction } = lite
  lite.query = async (text, ...more) => {
    if (!/^\s*(select|listen|unlisten)\b/i.test(text)) checkRoom(folder)
    return query.call(lite, text, ...more).catch(look) as ReturnType<typeof query<never>>
  }
  lite.transaction = async (work) => {
    checkRoom(folder)
    return transaction.call(lite, work).catch(look) as ReturnType<typeof transaction<never>>
  }
  function look(error: unknown): never {
    if (isPanic(error)) died(error)
    throw error
  }
}

const isPanic = (error: unknown) => error instanceof Error && 'severity' in error && error.severity === 'PANIC'

/** It is gone, and whatever it is asked from now on would never return. What it had acknowledged is in its journal. */
function endNow(error: unknown): void {
  console.error('The embedded database has died, nothing that it acknowledged is lost. Start Innkeeper again.', error)
  process.exit(1)
}
