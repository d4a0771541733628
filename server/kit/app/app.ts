import type { Practice, Server } from '@innkeeper/contract/machines/servers/shapes'
import type { Logger } from 'pino'
import type { Sessions } from '../access/sessions.ts'
import type { Uses } from '../access/uses.ts'
import type { Refusals } from '../audit/refusals.ts'
import type { StoredRow } from '../audit/storedRow.ts'
import type { Database, Db } from '../db/db.ts'
import type { Context } from '../http/api.ts'
import type { Tickets } from '../http/tickets.ts'
import type { Rates } from '../http/tokenRules.ts'
import type { ReadScopes, RowScopes } from '../live/live.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metric } from '../watch/metric.ts'
import type { TroubleSource } from '../watch/trouble.ts'
import type { PlanStep, Resource } from '../work/action.ts'
import type { Rounds } from '../work/schedule.ts'
import type { Subject } from '../work/subject.ts'
import type { Appointment } from './appointment.ts'
import type { DepartmentsOf } from './departmentsOf.ts'
import type { Holding } from './holding.ts'
import type { Notice } from './notice.ts'
import type { Quote } from './quote.ts'
import type { Retention } from './retention.ts'
import type { SecretKind } from './secretKinds.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The practice servers of an embedded start. */
export interface PracticeServers {
  state(): Practice
  /** Makes this machine the practice server, if it cannot create namespaces. Rejects with the reason if impossible. */
  useHere(): Promise<Practice>
  /** Adds a practice server of a type. Rejects if this node runs none, or already the maximum. */
  add(type: Server['type']): Promise<Practice>
  stop(): Promise<void>
}

export interface UpdatedServer {
  id: number
  name: string
  type: string
}

/** Another first or last day of a person at work. */
export interface EmploymentChange {
  userId: number
  /** Whether the first day at work changes, and whether the person had one before. */
  firstDay?: { wasKnown: boolean }
  /** The new last day at work; null: until further notice. Absent: unchanged. */
  lastDay?: string | null | undefined
  /** Opens the shifts after the last day for others. */
  opensShifts?: boolean | undefined
  /** Who changes the day. */
  by: { id: number; name: string }
  now: Date
}

/** People who get another department, and with it perhaps another workplace. */
export interface DepartmentChange {
  userIds: readonly number[]
  /** Who moves them; id 0: a provider of identities. */
  by: { id: number; name: string }
  now: Date
}

/** What follows from another first or last day at work. */
export interface EmploymentEffect {
  /** Leaves that are charged anew. */
  leaves: number
  /** Shifts after the last day. */
  shifts: number
}

/** All shared services of the process: created in start.ts and passed to callers. There are no globals. */
export interface App {
  settings: Settings
  database: Database
  db: Db
  secrets: Secrets
  sessions: Sessions
  /** Storage of file contents; blobs.ts has the rows. */
  storage: Storage
  tickets: Tickets
  /** Bounds the log rows of refused calls. */
  refusals: Refusals
  /** Records when people last used a permission. */
  uses: Uses
  /** Counts the calls of API tokens on this node. */
  rates: Rates
  log: Logger
  /** Finds rows for the action log in the tables of all domains. */
  storedRow: StoredRow
  /** Permissions with which people learn of changes, by kind of object. */
  readScopes: ReadScopes
  /** Permissions with which people learn which object changed. */
  rowScopes: RowScopes
  departmentsOf: DepartmentsOf
  holdings: readonly Holding[]
  /** Texts of all domains that may quote a customer whom somebody erases. */
  quotes: readonly Quote[]
  /** Figures of all domains for `/metrics`. */
  metrics: readonly Metric[]
  /** Where faults of Innkeeper itself are found, of all domains. */
  troubles: readonly TroubleSource[]
  /** The kinds of secrets of all domains. */
  secretKinds: readonly SecretKind[]
  /** Rules for workflows, by subject type. */
  subjects: Record<string, Subject>
  /** Steps of all domains to run before and after an updated agent rewrites the base configuration of its server. */
  agentUpdated(
    db: Db,
    server: UpdatedServer,
    by: string,
    resource: Resource,
  ): Promise<{ before: PlanStep[]; after: PlanStep[] }>
  /** Texts that describe the data of all domains on a server; empty if there is none. */
  storedOn(db: Db, serverId: number): Promise<string[]>
  /** Addresses that must not be banned, each with its reason. */
  guardedAddresses(db: Db): Promise<[address: string, why: string][]>
  /** Runs `save`, which stores another first or last day at work, between what the domains do before and after. */
  changeEmployment(db: Db, change: EmploymentChange, save: () => Promise<void>): Promise<EmploymentEffect>
  /**
   * Locks what a changed department changes, until the transaction ends. Whoever locks the rows of people, and may then change
   * their department, calls it before: `changeDepartment` locks in this order, and another one could deadlock.
   */
  holdForDepartment(db: Db, userIds: readonly number[]): Promise<void>
  /** Runs `save`, which gives people another department, between what the domains do before and after. */
  changeDepartment<T>(db: Db, change: DepartmentChange, save: () => Promise<T>): Promise<T>
  /** Applies changed limits of a plan to its accounts. Returns the ids of the started workflows. */
  planChanged(context: Context, plan: { id: number; name: string }): Promise<number[]>
  /** Adds a notification for each person, in the transaction of the caller. */
  notify(db: Db, notice: Notice): Promise<void>
  /** What these people read or decide by appointments, such as the manager of a team. */
  appointments(db: Db, userIds: readonly number[], now: Date): Promise<Appointment[]>
  /** Ids of the people who manage a person today. */
  managersOf(db: Db, userId: number, now: Date): Promise<number[]>
  /** Removes a person's means of sign-in besides the password: links, the second factor. */
  endSignIn(db: Db, userId: number): Promise<void>
  /** Removes access of people that needs no session: the addresses of calendar feeds. */
  endKeys(db: Db, userIds: readonly number[]): Promise<void>
  /** Lets every domain remove its data of a person whose account is being deleted. */
  /** Rows of the domains that are deleted in time. */
  retention: readonly Retention[]
  accountDeleted(db: Db, user: { id: number; username: string }): Promise<void>
  /** Rounds of the schedules; set where the worker is running. */
  rounds?: Rounds
  /** The practice servers; set once the API is running. */
  practice?: PracticeServers
}
