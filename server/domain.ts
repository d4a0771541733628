import type { FastifyInstance } from 'fastify'
import type { AccountPart } from './hosting/systemUsers/parts.ts'
import type { Part } from './hosting/websites/parts/parts.ts'
import type { App, DepartmentChange, EmploymentChange, EmploymentEffect, UpdatedServer } from './kit/app/app.ts'
import type { Appointment } from './kit/app/appointment.ts'
import type { DepartmentsOf } from './kit/app/departmentsOf.ts'
import type { Holding } from './kit/app/holding.ts'
import type { Quote } from './kit/app/quote.ts'
import type { Retention } from './kit/app/retention.ts'
import type { SecretKind } from './kit/app/secretKinds.ts'
import type { Settings } from './kit/app/settings.ts'
import type { Db } from './kit/db/db.ts'
import type { Context } from './kit/http/api.ts'
import type { Metric } from './kit/watch/metric.ts'
import type { TroubleSource } from './kit/watch/trouble.ts'
import type { PlanStep, Resource } from './kit/work/action.ts'
import type { Schedule } from './kit/work/schedule.ts'
import type { Subject } from './kit/work/subject.ts'
import type { SiteEdgeSource } from './net/ssl/siteEdges.ts'
import type { FeedSource } from './planning/leaves/feed/entries.ts'
import type { LeaveFollower } from './planning/leaves/followers.ts'
import type { TimelineSource } from './quality/dossiers/timeline/parts.ts'

/** Contributions of a domain folder to the server. `server/domains.ts` lists every domain. */
export interface Domain {
  /** Adds the calls of the domain to the web server; made by `calls` in kit/http/api.ts. */
  calls?: readonly ((server: FastifyInstance, app: App) => void)[]
  /** The exports of the domain's `tables.ts`. */
  tables?: Record<string, unknown>
  /**
   * By name of a `changed` event: permissions of which a person needs one to receive the event. An empty list means
   * everybody. Events without an entry reach administrators only.
   */
  readScopes?: Record<string, readonly string[]>
  /**
   * By name of a `changed` event of which people see some rows only: permissions whose holders see every row. Others receive
   * the event, also by a webhook, without the id. An empty list means administrators.
   */
  rowScopes?: Record<string, readonly string[]>
  /** By name of a `changed` event: the departments of the objects with these ids, for programs that hear of some departments. */
  departmentsOf?: DepartmentsOf
  schedules?: readonly Schedule[]
  /** Rows of the domain that are deleted in time, in this order: a row goes after those that refer to it. */
  retention?: readonly Retention[]
  /** Figures of the domain for `/metrics`. */
  metrics?: readonly Metric[]
  /** Faults of Innkeeper itself that the domain can see: administrators are alerted of them. */
  troubles?: readonly TroubleSource[]
  /** Each declares kinds of workflows: their words, what happens when they end, and which roll back by themselves. */
  workflows?: readonly (() => void)[]
  /** By subject type of the domain's workflows: who may see them and act on them. */
  subjects?: Record<string, Subject>
  /** Plan steps before and after the base configuration, which a new agent of a server writes again. */
  agentUpdated?(
    db: Db,
    server: UpdatedServer,
    by: string,
    resource: Resource,
  ): Promise<{ before?: PlanStep[]; after?: PlanStep[] }>
  /**
   * Parts of a website that belong to the domain, with their changes when the website is suspended, moved, deleted and
   * so on.
   */
  websiteParts?: readonly Part[]
  /** Parts of a server account that belong to the domain. */
  accountParts?: readonly AccountPart[]
  /** The edges that the domain puts in front of websites; they need the certificates. */
  siteEdges?: SiteEdgeSource
  /** Applies changed limits of a plan. Returns the ids of the workflows. */
  planChanged?(context: Context, plan: { id: number; name: string }): Promise<number[]>
  /** Entries of people's calendar feeds. */
  feed?: FeedSource
  /** Effects of an approved and of a cancelled leave. */
  leaves?: LeaveFollower
  /** Runs `save`, which stores another first or last day at work of a person, and adjusts what follows from the day. */
  changeEmployment?(db: Db, change: EmploymentChange, save: () => Promise<void>): Promise<Partial<EmploymentEffect>>
  /** Locks what `changeDepartment` changes, in the order of the people’s ids. */
  holdForDepartment?(db: Db, userIds: readonly number[]): Promise<void>
  /** Runs `save`, which gives people another department, and adjusts what follows from their workplace. */
  changeDepartment?<T>(db: Db, change: DepartmentChange, save: () => Promise<T>): Promise<T>
  holdings?: readonly Holding[]
  /** Texts of the domain that may quote a customer. Erasing a customer counts them, and leaves them to people. */
  quotes?: readonly Quote[]
  /**
   * Descriptions of the domain's objects on a server: `3 mail domains`. While there are any, the server's type cannot
   * change and the server cannot be deleted.
   */
  storedOn?(db: Db, serverId: number): Promise<string[]>
  /** Addresses of the domain that must not be banned, each with its reason: `the name server ns1.example.org`. */
  guardedAddresses?(db: Db): Promise<[address: string, why: string][]>
  /** Entries of the domain in the timeline of a dossier. */
  timeline?: TimelineSource
  /** What people read or decide by appointments. Whoever changes their sign-in needs the same appointments. */
  appointments?(db: Db, userIds: readonly number[], now: Date): Promise<Appointment[]>
  /** The people who manage a person today: they hear of changes to that person's sign-in. */
  managersOf?(db: Db, userId: number, now: Date): Promise<number[]>
  /** Removes a way to sign in of a person who is deleted or gets a new link. */
  endSignIn?(db: Db, userId: number): Promise<unknown>
  /**
   * Removes keys that work without a session, such as feeds, when people are signed out everywhere or lose permissions.
   */
  endKeys?(db: Db, userIds: readonly number[]): Promise<unknown>
  /** Runs in the transaction that deletes an account, after the heir has received its objects. */
  accountDeleted?(db: Db, user: { id: number; username: string }): Promise<unknown>
  /** The kinds of secrets that the domain stores. Every stored secret needs one. */
  secrets?: readonly SecretKind[]
  /** Adds sample data to the sample provider (server/seed), after the domains with a lower `at`. */
  seed?: { at: number; run(db: Db, say: (line: string) => void, settings: Settings): Promise<unknown> }
}
