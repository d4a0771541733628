import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/**
 * Free space required before the embedded database writes: two WAL files. Without space for a row the database rejects
 * the write; without space for the next WAL file it crashes together with the process.
 */
const WANTED = 32 * 1_048_576

/** An error with PostgreSQL's SQL state for a full disk: 53100. */
class DiskFull extends Error {
  readonly code = '53100'
  constructor(folder: string) {
    super(`The disk of ${folder} is full: the database needs ${WANTED / 1_048_576} MiB free before it writes`)
  }
}

/** Throws DiskFull if less than `WANTED` is free. */
export function checkRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < WANTED) throw new DiskFull(folder)
}

/** Checks the free space before each transaction and each single writing statement. Reads are not affected. */
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

/** Ends the process, because a crashed database never answers again. The WAL has all acknowledged changes. */
function endNow(error: unknown): void {
  console.error('The embedded database has crashed. All acknowledged changes are safe. Start Innkeeper again.', error)
  process.exit(1)
}
