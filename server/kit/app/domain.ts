import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db.ts'
import type { PlanStep, Resource } from '../work/action.ts'
import type { Subject } from '../work/subject.ts'
import type { App } from './app.ts'
import type { Holding } from './holding.ts'

/** Work that every worker node repeats. A round starts `everyMs` after the one before at the earliest, never twice at once. */
export interface Schedule {
  /** Names the schedule in the log when a round fails. */
  name: string
  everyMs: number
  /** `runningMs`: milliseconds since this worker started. */
  work(app: App, runningMs: number): Promise<unknown>
}

export interface UpdatedServer {
  id: number
  name: string
  type: string
}

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
  holdings?: readonly Holding[]
  /** Removes a way to sign in, of somebody who is deleted or needs a new link. */
  endSignIn?(db: Db, userId: number): Promise<unknown>
  /** Removes what speaks for people without a session: when they are signed out everywhere or lose rights. */
  endKeys?(db: Db, userIds: readonly number[]): Promise<unknown>
  /** Runs in the transaction that deletes an account, after its holdings went to the heir. */
  accountDeleted?(db: Db, user: { id: number; username: string }): Promise<unknown>
}
