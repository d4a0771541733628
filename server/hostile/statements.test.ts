import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../kit/db/db.ts'
import { tablesOf } from '../kit/ownBackup/backup.ts'
import { type Call, writing } from './calls.ts'
import { type Faults, faultsOf } from './faults.ts'
import { goodRequestsTo, type Sent } from './requests.ts'
import { full, saySeed, seed } from './seed.ts'
import { OPENING, openWorld, type World } from './world.ts'

/**
 * For every writing call a request is looked for that succeeds (it comes to its commit, which is then refused, so that
 * the world stays). Then each of its statements fails in turn: nothing of it may be left but the row of its failure.
 */
let w: World
let faults: Faults
let tables: string[]
beforeAll(async () => {
  saySeed('statements')
  w = await openWorld()
  tables = (await tablesOf(w.app.db)).map(({ name }) => name).filter((name) => !meant.includes(name))
  faults = faultsOf(w.app.database)
}, OPENING)
afterAll(async () => {
  faults.stop()
  await w.close()
})

/** Calls that cannot succeed in this world, and why. An entry that is not needed any more is a failure. */
const unable: Record<string, string> = {
  'secondFactor.confirm': 'it takes the code of this half minute',
  'secondFactor.backupCodes': 'nobody here could confirm a second factor',
  'servers.useThisMachine': 'the tests have no practice servers',
  'stagings.merge': 'a server is asked first what changed on the live website, and none is there to answer',
}
/** What a failed call leaves on purpose: its log row, and the count of guesses. */
const meant = ['action_logs', 'sign_in_attempts']
/** And who writes an upload now: the newest request takes it over before it knows whether it will fare any better. */
const meantColumn = 'writer'
const TRIES = full ? 20_000 : 5000
const COURSES = full ? 8 : 1

const send = ({ method, url, headers, payload }: Sent) =>
  w.http.inject({
    method,
    url,
    headers: { ...headers, authorization: `Bearer ${w.admin}` },
    ...(payload !== undefined && { payload }),
  })
const forgetGuesses = () => w.app.db.execute(sql`delete from sign_in_attempts`)

/** Every row of every table, as one text a table: one statement for all of them, since it is asked after each that fails. */
async function snapshot(): Promise<Record<string, string>> {
  const found = await rows<{ name: string; all: string }>(
    w.app.db,
    sql.join(
      tables.map(
        (name) => sql`select ${name}::text as name, coalesce(string_agg(said, chr(10) order by said), '') as all
          from (select (to_jsonb(t) - ${meantColumn}::text)::text as said from ${sql.identifier(name)} t) rows`,
      ),
      sql` union all `,
    ),
  )
  return Object.fromEntries(found.map(({ name, all }) => [name, all]))
}
async function logRows(): Promise<Record<string, number>> {
  const found = await rows<{ result: string; n: number }>(
    w.app.db,
    sql`select result, count(*)::int as n from action_logs group by result`,
  )
  return Object.fromEntries(found.map(({ result, n }) => [result, n]))
}

function* samples(requests: fc.Arbitrary<Sent>): Generator<Sent> {
  for (let n = 0; n < TRIES; n += 20) yield* fc.sample(requests, { seed: seed + n, numRuns: 20 })
}

/** Requests that come to their commit, each by a course of statements of its own. */
async function successes({ endpoint }: Call): Promise<{ request: Sent; statements: string[] }[]> {
  const found = new Map<string, { request: Sent; statements: string[] }>()
  const requests = goodRequestsTo(endpoint, w.known)
  const end = Date.now() + (full ? 300_000 : 120_000)
  const seen = new Set<string>()
  let since = 0
  for (const request of samples(requests)) {
    const key = JSON.stringify(request)
    if (seen.has(key)) continue
    seen.add(key)
    await forgetGuesses()
    const [answer, { statements, failed, logged }] = await faults.during('commit', () => send(request))
    expect(
      answer.statusCode,
      `${request.url} ${request.payload}: success although its commit failed`,
    ).toBeGreaterThanOrEqual(400)
    if (failed) {
      expect(answer.statusCode).toBe(500)
      expect(logged, `${request.url}: the transaction has its log row`).toBe(1)
      const upTo = statements.slice(0, statements.indexOf('commit') + 1)
      const course = upTo.join('\n')
      if (!found.has(course)) since = 0
      found.set(course, found.get(course) ?? { request, statements: upTo })
    }
    since += 1
    if (found.size >= COURSES || (found.size > 0 && since > 150) || Date.now() > end) break
  }
  return [...found.values()]
}

describe('when a statement fails', () => {
  it.each(writing)('$name leaves nothing of what it began', { timeout: full ? 900_000 : 300_000 }, async (call) => {
    const courses = await successes(call)
    const why = unable[call.name]
    if (why) expect(courses, `${call.name} can succeed: take it off the list`).toEqual([])
    else
      expect(
        courses.length,
        `no request was found with which ${call.name} succeeds: world.ts has no row for it`,
      ).toBeGreaterThan(0)
    for (const { request } of courses) {
      await forgetGuesses()
      const [, { statements }] = await faults.during('commit', () => send(request)) // what it sends may have settled
      statements.splice(statements.indexOf('commit') + 1)
      const before = await snapshot()
      const logs = await logRows()
      for (let n = 1; n <= statements.length; n++) {
        const about = `${request.method} ${request.url} ${request.payload}, statement ${n}: ${statements[n - 1]}`
        await forgetGuesses()
        const [answer, course] = await faults.during(n, () => send(request))
        expect(course.failed, about).toBe(true)
        expect(answer.statusCode, about).toBeGreaterThanOrEqual(500)
        expect(answer.body, about).not.toContain('chosen to fail')
        expect(await snapshot(), about).toEqual(before)
      }
      const after = await logRows()
      expect(after.success, 'no success is in the log').toBe(logs.success)
      const anonymous = statements.filter((text) => /from sessions s join/.test(text)) // nobody knew yet who asks
      const failures = (after.failed ?? 0) - (logs.failed ?? 0)
      expect(failures, 'each failure is').toBe(statements.length - anonymous.length)
    }
  })

  it('leaves every connection to those who come after it', async () => {
    const request: Sent = { method: 'GET', url: '/api/auth/logout', headers: {} }
    for (let n = 1; n <= 40; n++) await faults.during(1 + (n % 3), () => send(request))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => w.call('GET', '/api/auth/validate', { token: w.admin })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})
