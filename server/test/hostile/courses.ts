import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { tablesOf } from '../../kit/ownBackup/backup.ts'
import type { Call } from './calls.ts'
import { faultsOf } from './faults.ts'
import { goodRequestsTo, type Sent } from './requests.ts'
import { full, seed } from './seed.ts'
import { openWorld } from './world/world.ts'

/** Tables that a failed call changes on purpose: its log row, and the count of wrong sign-ins. */
const meant = ['action_logs', 'sign_in_attempts']
/** The column that an upload changes even if it fails, because the newest request becomes its writer. */
const meantColumn = 'writer'
const TRIES = full ? 20_000 : 5000
const COURSES = full ? 8 : 1
const WITHOUT_NEWS = 150

/** The statements of a request whose commit was made to fail. */
export interface Course {
  request: Sent
  statements: string[]
}
export interface Courses {
  db: Awaited<ReturnType<typeof openWorld>>['app']['db']
  call: Awaited<ReturnType<typeof openWorld>>['call']
  admin: string
  during: ReturnType<typeof faultsOf>['during']
  send(request: Sent): Promise<{ statusCode: number; body: string }>
  /** Sends a request and lets its commit fail. Returns its statements; undefined if it did not reach its commit. */
  refused(request: Sent): Promise<Course | undefined>
  /** Searches for random requests to a call that reach their commit, each with a different list of statements. */
  found(call: Call): Promise<Course[]>
  clearGuesses(): Promise<unknown>
  /** All rows, as one text per table. */
  snapshot(): Promise<Record<string, string>>
  /** Number of log rows per result. */
  logRows(): Promise<Record<string, number>>
  close(): Promise<void>
}

/** A test world in which statements can be made to fail. */
export async function openCourses(): Promise<Courses> {
  const w = await openWorld()
  const { db } = w.app
  w.app.refusals = { count: () => ({ isLogged: true, isFirstLost: false }) } // thousands of refusals in minutes
  const tables = (await tablesOf(db)).map(({ name }) => name).filter((name) => !meant.includes(name))
  // ignore the read of the session: it happens in some requests only, because sessions are cached for half a minute
  const faults = faultsOf(w.app.database, (statement) => /from sessions s join/.test(statement))
  const clearGuesses = () => db.execute(sql`delete from sign_in_attempts`)

  const send = ({ method, url, headers, payload }: Sent) =>
    w.http.inject({
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${w.admin}` },
      ...(payload !== undefined && { payload }),
    })

  async function refused(request: Sent): Promise<Course | undefined> {
    await clearGuesses()
    const [{ statusCode, body }, { statements, failed, logged, outside }] = await faults.during('commit', () =>
      send(request),
    )
    const about = `${request.method} ${request.url} ${request.payload}: ${body}`
    expect(statusCode, `success although its commit failed: ${about}`).toBeGreaterThanOrEqual(400)
    if (!failed) return undefined
    expect(statusCode, about).toBe(500)
    expect(logged, `the transaction has its log row: ${about}`).toBe(1)
    expect(outside, `statements on app.db instead of the transaction: ${about}`).toEqual([])
    return { request, statements: statements.slice(0, statements.indexOf('commit') + 1) }
  }

  return {
    db,
    call: w.call,
    admin: w.admin,
    during: faults.during,
    send,
    refused,
    clearGuesses,
    async found({ endpoint }) {
      const found = new Map<string, Course>()
      const end = Date.now() + (full ? 300_000 : 120_000)
      const seen = new Set<string>()
      let since = 0
      for (const request of samples(goodRequestsTo(endpoint, w.known))) {
        const key = JSON.stringify(request)
        if (seen.has(key)) continue
        seen.add(key)
        const course = await refused(request)
        const path = course?.statements.join('\n')
        if (course && path && !found.has(path)) {
          since = 0
          found.set(path, course)
        }
        since += 1
        if (found.size >= COURSES || (found.size > 0 && since > WITHOUT_NEWS) || Date.now() > end) break
      }
      return [...found.values()]
    },
    async snapshot() {
      const found = await rows<{ name: string; all: string }>(
        db,
        sql.join(
          tables.map(
            (name) => sql`select ${name}::text as name, coalesce(string_agg(said, chr(10) order by said), '') as all
          from (select (to_jsonb(t) - ${meantColumn}::text)::text as said from ${sql.identifier(name)} t) rows`,
          ),
          sql` union all `,
        ),
      )
      return Object.fromEntries(found.map(({ name, all }) => [name, all]))
    },
    async logRows() {
      const found = await rows<{ result: string; n: number }>(
        db,
        sql`select result, count(*)::int as n from action_logs group by result`,
      )
      return Object.fromEntries(found.map(({ result, n }) => [result, n]))
    },
    async close() {
      faults.stop()
      await w.close()
    },
  }
}

function* samples(requests: fc.Arbitrary<Sent>): Generator<Sent> {
  for (let n = 0; n < TRIES; n += 20) yield* fc.sample(requests, { seed: seed + n, numRuns: 20 })
}
