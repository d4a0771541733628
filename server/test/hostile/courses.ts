import type { PGlite } from '@electric-sql/pglite'
import { contract } from '@innkeeper/contract/index'
import type { Contract } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type pg from 'pg'
import { expect } from 'vitest'
import { type Database, rows } from '../../kit/db/db.ts'
import { tablesOf } from '../../kit/ownBackup/backup.ts'
import type { Call } from './calls.ts'
import { faultsOf } from './faults.ts'
import { goodRequestsTo, type Sent } from './requests.ts'
import { full, seed } from './seed.ts'
import { openWorld } from './world/world.ts'

/** Tables that a failed call changes on purpose: its log row, and the count of wrong sign-ins. */
const meant = ['action_logs', 'sign_in_attempts', 'permission_uses']
/** The column that an upload changes even if it fails, because the newest request becomes its writer. */
const meantColumn = 'writer'
/** The latest call of a session, which each call may record. */
const seenColumn = 'last_seen_at'
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
  /** Sends a request of the administrator, or of somebody else. */
  send(request: Sent, token?: string): Promise<{ statusCode: number; body: string }>
  /** A new person with these permissions. */
  somebody: Awaited<ReturnType<typeof openWorld>>['somebody']
  /** Sends a request and lets its commit fail. Returns its statements; undefined if it did not reach its commit. */
  refused(request: Sent): Promise<Course | undefined>
  /** Searches for random requests to a call that reach their commit, each with a different list of statements. */
  found(call: Call): Promise<Course[]>
  clearGuesses(): Promise<unknown>
  /** All rows, as one text per table. Reads the rows of those tables only that were written since the snapshot before. */
  snapshot(): Promise<Record<string, string>>
  /** Number of log rows per result. */
  logRows(): Promise<Record<string, number>>
  close(): Promise<void>
}

/** Calls that also log each removal under the person whom it concerns: the world's review removes one. */
const logsEach = /\/access-reviews\/\d+\/end$/
/** Calls that keep unfinished work: no success of theirs has a row. */
const logsNone = new RegExp(
  `/api(${Object.values(contract as Record<string, Contract>)
    .flatMap((calls) => Object.values(calls))
    .filter(({ spec }) => spec.unfinished)
    .map(({ path }) => path.replaceAll(/:\w+/g, '\\d+'))
    .join('|')})$`,
)

/** A test world in which statements can be made to fail. */
export async function openCourses(): Promise<Courses> {
  const w = await openWorld()
  const { db } = w.app
  w.app.refusals = { count: () => ({ isLogged: true, isFirstLost: false }) } // thousands of refusals in minutes
  const tables = (await tablesOf(db)).map(({ name }) => name).filter((name) => !meant.includes(name))
  // ignore the read of the session: it happens in some requests only, because sessions are cached for half a minute
  const faults = faultsOf(w.app.database, (statement) => /from sessions s join|into permission_uses/.test(statement))
  const reader = await openReader(w.app.database)
  const clearGuesses = () => db.execute(sql`delete from sign_in_attempts`)

  const send = ({ method, url, headers, payload }: Sent, token = w.admin) =>
    w.http.inject({
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
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
    const wanted = logsNone.test(request.url) ? 0 : logsEach.test(request.url) ? 2 : 1
    expect(logged, `the transaction has its log row: ${about}`).toBe(wanted)
    expect(outside, `statements on app.db instead of the transaction: ${about}`).toEqual([])
    return { request, statements: statements.slice(0, statements.indexOf('commit') + 1) }
  }

  /** What `snapshot` read last, and the stamps of the tables at that time. */
  const said: Record<string, string> = {}
  const stamped: Record<string, string> = {}

  /** A text for each table. `select` selects its `name` and `text`. */
  async function eachTable(
    names: readonly string[],
    select: (table: string) => string,
    statement?: string,
  ): Promise<Record<string, string>> {
    if (!names.length) return {}
    const found = await reader.ask(names.map(select).join(' union all '), statement)
    return Object.fromEntries(found.map(({ name, text }) => [name, text]))
  }

  /** A table with the same stamp has the same rows: each write gives a row a newer transaction id, or takes a row away. */
  const stampsOf = (names: readonly string[]) =>
    eachTable(
      names,
      (table) => `select '${table}' as name,
        concat(count(*), ' ', max(xmin::text::bigint), ' ', sum(xmin::text::bigint)) as text from "${table}"`,
      'stamps',
    )

  const textsOf = (names: readonly string[]) =>
    eachTable(
      names,
      (table) => `select '${table}' as name, coalesce(string_agg(said, chr(10) order by said), '') as text
        from (select (to_jsonb(t) - '${meantColumn}'${table === 'sessions' ? ` - '${seenColumn}'` : ''})::text as said from "${table}" t) rows`,
    )

  return {
    db,
    call: w.call,
    admin: w.admin,
    during: faults.during,
    somebody: w.somebody,
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
      const stamps = await stampsOf(tables)
      const changed = tables.filter((name) => stamps[name] !== stamped[name])
      Object.assign(said, await textsOf(changed))
      Object.assign(stamped, stamps)
      return { ...said }
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
      reader.close()
      await w.close()
    },
  }
}

/** The text of a table. */
interface Said {
  name: string
  text: string
}
interface Reader {
  /** A statement with a name is planned once. */
  ask(statement: string, name?: string): Promise<Said[]>
  close(): void
}

/**
 * Reads on one connection of its own: after each failed commit the pool opens a new one, which would have to learn all tables
 * and plan the statement again.
 */
async function openReader({ kind, db }: Database): Promise<Reader> {
  const { $client } = db as unknown as { $client: unknown } // Drizzle sets this property, which is missing in the type
  if (kind === 'embedded')
    return { ask: async (text) => (await ($client as PGlite).query<Said>(text)).rows, close() {} }
  const client = await ($client as pg.Pool).connect()
  return {
    ask: async (text, name) => (await client.query<Said>({ name, text })).rows,
    close: () => client.release(),
  }
}

function* samples(requests: fc.Arbitrary<Sent>): Generator<Sent> {
  for (let n = 0; n < TRIES; n += 20) yield* fc.sample(requests, { seed: seed + n, numRuns: 20 })
}
