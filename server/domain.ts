import type { FastifyInstance } from 'fastify'
import type { App, UpdatedServer } from './kit/app/app.ts'
import type { Holding } from './kit/app/holding.ts'
import type { Settings } from './kit/app/settings.ts'
import type { Db } from './kit/db/db.ts'
import type { Context } from './kit/http/api.ts'
import type { PlanStep, Resource } from './kit/work/action.ts'
import type { Schedule } from './kit/work/schedule.ts'
import type { Subject } from './kit/work/subject.ts'
import type { LeaveFollower } from './leaves/followers.ts'
import type { AccountPart } from './systemUsers/parts.ts'
import type { Part } from './websites/parts/parts.ts'

/** What a domain folder offers to the rest of the server. `server/domains.ts` lists every domain. */
export interface Domain {
  /** Adds the calls of the domain to the web server; made by `calls` in kit/http/api.ts. */
  calls?: readonly ((server: FastifyInstance, app: App) => void)[]
  /** The exports of the domain's `tables.ts`. */
  tables?: Record<string, unknown>
  /**
   * By name of a hint (`changed`), the permissions of which a person needs one to receive the hint. An empty list means
   * everybody; a hint that no domain names reaches administrators only.
   */
  readScopes?: Record<string, readonly string[]>
  schedules?: readonly Schedule[]
  /** By subject type of the workflows that the domain starts: who sees them and acts on them. */
  subjects?: Record<string, Subject>
  /** Steps around the base configuration that a new agent of a server writes anew. */
  agentUpdated?(
    db: Db,
    server: UpdatedServer,
    by: string,
    resource: Resource,
  ): Promise<{ before?: PlanStep[]; after?: PlanStep[] }>
  /** What a website can have of the domain, and what becomes of that when the website is suspended, moved, deleted … */
  websiteParts?: readonly Part[]
  /** What an account on a server can have of the domain. */
  accountParts?: readonly AccountPart[]
  /** Applies changed limits of a plan. Returns the ids of the workflows. */
  planChanged?(context: Context, plan: { id: number; name: string }): Promise<number[]>
  /** What follows the approval and the cancellation of a leave. */
  leaves?: LeaveFollower
  holdings?: readonly Holding[]
  /**
   * What of the domain a server stores, in words: `3 mail domains`. As long as there is any, the server keeps its type
   * and is not deleted.
   */
  storedOn?(db: Db, serverId: number): Promise<string[]>
  /** Removes a way to sign in, of somebody who is deleted or needs a new link. */
  endSignIn?(db: Db, userId: number): Promise<unknown>
  /** Removes what speaks for people without a session: when they are signed out everywhere or lose rights. */
  endKeys?(db: Db, userIds: readonly number[]): Promise<unknown>
  /** Runs in the transaction that deletes an account, after its holdings went to the heir. */
  accountDeleted?(db: Db, user: { id: number; username: string }): Promise<unknown>
  /** Adds sample data to the sample provider (server/seed), after the domains with a lower `at`. */
  seed?: { at: number; run(db: Db, say: (line: string) => void, settings: Settings): Promise<unknown> }
}
