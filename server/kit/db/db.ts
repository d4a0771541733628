import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Common type for PostgreSQL, the embedded PGlite, and their transactions. */
export type Db = PgDatabase<PgQueryResultHKT>

export interface Database {
  db: Db
  kind: 'postgresql' | 'embedded'
  /**
   * Calls `heard('')` after every (re)connection, because notifications in between are lost. Calls `lost()` when the
   * connection ends or stalls, at most five seconds late.
   */
  listen(channel: string, heard: (payload: string) => void, lost?: () => void): Promise<void>
  /** True while no connection to the database can be made, so that calls are refused at once instead of waiting. */
  isAway(): boolean
  /** Connections of the pool; absent for the embedded database. */
  pool?(): { open: number; idle: number; waiting: number }
  /** A standby that answers reads; absent if no setting names one. */
  replica?: Replica
  close(): Promise<void>
}

/** Whether the standby answers reads, and since when it does not. */
export interface ReplicaState {
  /** Reads of this process since its start. */
  reads: { standby: number; primary: number }
  /** Bytes of the write-ahead log that the standby lacks; undefined while they are not known. */
  behind: number | undefined
  /** Why the standby answers nothing, and since when, in ms since the epoch. */
  problem?: { reason: string; since: number }
}

/** A standby of PostgreSQL that answers reads. */
export interface Replica {
  db: Db
  /**
   * Runs a read on the standby if the standby has everything that was committed when the read began; otherwise, or if the
   * standby fails, on the primary. So a read never shows less than the primary would. `isAnswer` names errors that are
   * answers.
   */
  read<T>(work: (db: Db) => Promise<T>, isAnswer: (error: unknown) => boolean): Promise<T>
  state(): ReplicaState
  close(): Promise<void>
}

export interface Opening {
  /** Target schema, see migrations.ts; `as-is` runs no migration. Default: the newest. */
  schema?: number | 'as-is'
  /** Connects as the role that owns the tables, if DATABASE_OWNER_URL is set. */
  owner?: boolean
  /** Fail if the database is unavailable, instead of waiting for it. */
  now?: boolean
  /** The name of the key in the settings of this node; see keyring.ts. */
  keyName?: string
  /** `postgres://…` of a standby that answers reads. */
  replica?: string | undefined
  /** PostgreSQL refuses statements beside an open transaction of the same work, as the embedded database always does. */
  strict?: boolean
  /** A data folder as a tar, the initial contents of a new embedded database. */
  from?: Blob
}

/** Rows of a statement that is clearer as SQL. `T` describes the select list and is not checked. */
export async function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement)
  return (result as unknown as { rows: T[] }).rows // both drivers return { rows }, which their common type lacks
}
