import type { Logger } from 'pino'
import type { PracticeServers } from '../../servers/practice.ts'
import type { Sessions } from '../access/sessions.ts'
import type { Database, Db } from '../db/db.ts'
import type { Tickets } from '../http/tickets.ts'
import type { Storage } from '../storage/storage.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** What the process holds: made once in main.ts, handed to whoever needs it. Nothing is global. */
export interface App {
  settings: Settings
  database: Database
  db: Db
  secrets: Secrets
  sessions: Sessions
  /** Where the bytes of files lie; blobs.ts knows which. */
  storage: Storage
  tickets: Tickets
  log: Logger
  /** Where the practice servers are; set once the API is up. */
  practice?: PracticeServers
}
