import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isProvenOnPostgres, isWhole, sliced } from '../../../bin/slice.ts'
import { type Call, writing } from './calls.ts'
import { type Course, type Courses, openCourses } from './courses.ts'
import { goodRequests } from './good.ts'
import type { Sent } from './requests.ts'
import { full, saySeed } from './seed.ts'

/**
 * Runs the known-good request of each writing call and lets its commit fail, so that the world stays unchanged. For a
 * slice of the calls, each statement fails in turn: only the log row of the failure may remain. `npm run test:long`
 * does this for all calls, adds random requests, and also tries the calls in `unable`.
 */
let courses: Courses
let good: Awaited<ReturnType<typeof goodRequests>>
beforeAll(async () => {
  saySeed('statements')
  courses = await openCourses()
  good = await goodRequests(courses.db)
})
afterAll(() => courses.close())

/** Calls that cannot succeed in this world, with the reason. An obsolete entry fails the test. */
const unable: Record<string, string> = {
  'qcSources.importSigned': 'its signature holds for five minutes',
  'passkeys.add': 'a passkey signs the challenge of this minute',
  'passkeys.signIn': 'a passkey signs the challenge of this minute',
  'secondFactor.confirm': 'it takes the code of this half minute',
  'secondFactor.remove': 'it takes a second factor',
  'secondFactor.backupCodes': 'nobody here could confirm a second factor',
  'servers.addPractice': 'the tests have no practice servers',
  'servers.useThisMachine': 'the tests have no practice servers',
  'databases.adopt': 'a server is asked first for the database, and none is there to answer',
  'databases.endConnection': 'a server ends the connection, and none is there to answer',
  'databases.query': 'a server answers the rows, and none is there to answer',
  'databases.browse': 'a server answers the rows, and none is there to answer',
  'databases.write': 'a server changes the rows, and none is there to answer',
  'databases.search': 'a server searches its databases, and none is there to answer',
  'backups.changePassword': 'a backup server tries the password, and none is there to answer',
  'elevations.ask': 'an administrator has every permission for good',
  'ftpUsers.endSession': 'a server ends the session, and none is there to answer',
  'mailboxes.liftStop': 'a server lets the sender send again, and none is there to answer',
  'mailboxes.actOnQueue': 'a server acts on its queue, and none is there to answer',
  'moves.create': 'both servers are asked first, and none is there to answer',
  'moves.group': 'both servers are asked first, and none is there to answer',
  'stagings.merge': 'a server is asked first what changed on the live website, and none is there to answer',
}
const able = writing.filter(({ name }) => !unable[name])
/** The calls of this run: a tenth of them shows that the embedded database undoes a transaction as PostgreSQL does. */
const taken = isProvenOnPostgres ? sliced(able) : able

async function knownGood(call: Call): Promise<Course> {
  const request = await good(call)
  if (!request) {
    const [found] = await courses.found(call)
    const hint = found ? `; this one succeeds: ${found.request.url} ${found.request.payload}` : ''
    throw new Error(`${call.name} has no known-good request: add one to goodRequests.ts of its domain${hint}`)
  }
  const course = await courses.refused(request)
  if (course) return course
  const { statusCode, body } = await courses.send(request)
  throw new Error(`${request.method} ${request.url} ${request.payload} does not succeed: ${statusCode} ${body}`)
}

/** Lets each statement of the request fail in turn. */
async function failEach(request: Sent): Promise<void> {
  const course = await courses.refused(request) // run again: earlier requests may have changed its statements
  const statements = course?.statements ?? []
  const before = await courses.snapshot()
  const logs = await courses.logRows()
  for (let n = 1; n <= statements.length; n++) {
    const about = `${request.method} ${request.url} ${request.payload}, statement ${n}: ${statements[n - 1]}`
    await courses.clearGuesses()
    const [answer, { failed }] = await courses.during(n, () => courses.send(request))
    expect(failed, about).toBe(true)
    expect(answer.statusCode, about).toBeGreaterThanOrEqual(500)
    expect(answer.body, about).not.toContain('chosen to fail')
    expect(await courses.snapshot(), about).toEqual(before)
  }
  const after = await courses.logRows()
  expect(after.success, 'no success is in the log').toBe(logs.success)
  expect((after.failed ?? 0) - (logs.failed ?? 0), 'each failure is').toBe(statements.length)
}

it('a snapshot shows each row that was written, changed or deleted', async () => {
  const { db, snapshot } = courses
  const before = await snapshot()
  await db.execute(sql`insert into owners (name, email) values ('Seen', 'seen@example.org')`)
  const written = await snapshot()
  expect(written.owners).toContain('seen@example.org')
  await db.execute(sql`update owners set name = 'Changed' where email = 'seen@example.org'`)
  expect((await snapshot()).owners).toContain('Changed')
  await db.execute(sql`delete from owners where email = 'seen@example.org'`)
  expect(await snapshot()).toEqual(before)
})

describe('when its commit fails', () => {
  /** The snapshot after the previous call, which is the one before the next call. */
  let last: Record<string, string> | undefined
  it.each(taken)('$name has one log row in its transaction, and leaves no changes', async (call) => {
    const before = last ?? (await courses.snapshot())
    last = undefined
    await knownGood(call)
    last = await courses.snapshot()
    expect(last).toEqual(before)
  })
})

/** The schema of the row in an answer: the answer itself, or its `data` beside the id of a workflow. */
const rowIn = (returns?: z.ZodType): z.ZodType | undefined =>
  (returns instanceof z.ZodObject && returns.shape.data) || returns

describe('when somebody else has changed the row', () => {
  const versioned = taken.filter(({ endpoint }) => endpoint.schemas.body?.shape.version)
  it.each(versioned)('$name refuses the version that its caller saw', async (call) => {
    const request = await good(call)
    const body = JSON.parse(String(request?.payload ?? '{}'))
    const payload = JSON.stringify({ ...body, version: 1_000_000 })
    const { statusCode, body: answer } = await courses.send({ ...request!, payload })
    expect(statusCode, answer).toBe(409)
    // a form merges with the stored row, and sends its version next; an act on a step of a workflow is no form
    if (call.endpoint.method !== 'PATCH' || call.endpoint.path.includes(':action')) return
    const { current } = JSON.parse(answer)
    expect(current?.version, answer).toEqual(expect.any(Number))
    const { issues = [] } = rowIn(call.endpoint.spec.returns)?.safeParse(current).error ?? {}
    const ofForm = issues.filter(({ path: [field] }) => field && Object.hasOwn(call.endpoint.spec.body ?? {}, field))
    expect(ofForm, answer).toEqual([])
  })
})

/** Calls that need a value although none of their fields is required, with the reason. */
const needing: Record<string, string> = {
  'systemUsers.update': 'a suspension needs a reason',
  'qc.reviewChat': 'a review needs grades',
  'qc.reviewTicket': 'a review needs grades',
}

describe('a change without fields', () => {
  const changing = taken.filter(({ endpoint: { method, schemas } }) => method === 'PATCH' && schemas.body)
  it.each(changing)('$name succeeds', async (call) => {
    const { request } = await knownGood(call)
    const { shape } = call.endpoint.schemas.body!
    const given = Object.entries(JSON.parse(request.payload as string)) as [string, unknown][]
    const left = given.filter(([key]) => shape[key] && !shape[key].safeParse(undefined).success)
    const empty = { ...request, payload: JSON.stringify(Object.fromEntries(left)) }
    if (await courses.refused(empty)) return
    const { statusCode, body } = await courses.send(empty)
    expect(needing[call.name] ? statusCode : 0, `${call.name}: ${statusCode} ${body}`).toBe(422)
  })
})

describe('when a statement fails', () => {
  it.each(sliced(able))('$name leaves no partial changes', async (call) => {
    const { request } = await knownGood(call)
    await failEach(request)
  })

  it('releases every connection', async () => {
    const request: Sent = { method: 'GET', url: '/api/auth/logout', headers: {} }
    for (let n = 1; n <= 40; n++) await courses.during(1 + (n % 3), () => courses.send(request))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => courses.call('GET', '/api/auth/validate', { token: courses.admin })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})

const inLongRuns = isWhole ? describe : () => {}
inLongRuns('when a statement of a request fails that was found by chance', () => {
  it.each(writing)('$name leaves no partial changes', { timeout: full ? 900_000 : 300_000 }, async (call) => {
    const found = await courses.found(call)
    if (unable[call.name]) expect(found, `${call.name} can succeed: take it off the list`).toEqual([])
    else expect(found.length, 'a request was found that succeeds').toBeGreaterThan(0)
    for (const { request } of found) await failEach(request)
  })
})
