import type { Practice } from '@innkeeper/contract/servers'
import type { Logger } from 'pino'
import type { Sessions } from '../access/sessions.ts'
import type { StoredRow } from '../audit/storedRow.ts'
import type { Database, Db } from '../db/db.ts'
import type { Tickets } from '../http/tickets.ts'
import type { Storage } from '../storage/storage.ts'
import type { Holding } from './holding.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The practice servers of an embedded start. */
export interface PracticeServers {
  state(): Practice
  /** Makes this machine itself the practice server, for where namespaces are refused. Rejects with the obstacle. */
  useHere(): Promise<Practice>
  stop(): Promise<void>
}

/** All shared services of the process: created in main.ts and passed to callers. There are no globals. */
export interface App {
  settings: Settings
  database: Database
  db: Db
  secrets: Secrets
  sessions: Sessions
  /** Storage of file contents; blobs.ts has the rows. */
  storage: Storage
  tickets: Tickets
  log: Logger
  /** Finds rows for the action log in the tables of all domains. */
  storedRow: StoredRow
  holdings: readonly Holding[]
  /** The practice servers; set once the API is running. */
  practice?: PracticeServers
}
