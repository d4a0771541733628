import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** One face for PostgreSQL and the embedded PGlite; a transaction has it too. */
export type Db = PgDatabase<PgQueryResultHKT>

export interface Database {
  db: Db
  kind: 'postgresql' | 'embedded'
  /** `heard('')` after every (re)connection: whatever was notified meanwhile is lost. `lost()` when it goes. */
  listen(channel: string, heard: (payload: string) => void, lost?: () => void): Promise<void>
  close(): Promise<void>
}

export interface Opening {
  /** The schema it is brought to, see migrations.ts; `as-is` leaves it alone. Absent: the newest. */
  schema?: number | 'as-is'
  /** As the role that owns the tables, where DATABASE_OWNER_URL names one. */
  owner?: boolean
  /** Rejects where the database is away; else it is waited for. */
  now?: boolean
  /** A data folder as a tar, for a new embedded database to begin with. */
  from?: Blob
}

/** Rows of a statement that is clearer as SQL. `T` is what its select list says: nothing checks it. */
export async function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement)
  return (result as unknown as { rows: T[] }).rows // both drivers answer { rows }; their shared type says nothing
}
