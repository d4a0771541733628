import type { Logger } from 'pino'
import type { PracticeServers } from '../../servers/practice.ts'
import type { Sessions } from '../access/sessions.ts'
import type { Database, Db } from '../db/db.ts'
import type { Tickets } from '../http/tickets.ts'
import type { Storage } from '../storage/storage.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

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
  /** The practice servers; set once the API is running. */
  practice?: PracticeServers
}
