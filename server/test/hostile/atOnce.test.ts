import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setAside } from '../work.ts'
import { type Call, writing } from './calls.ts'
import { goodRequests } from './good.ts'
import { openWorld } from './world/world.ts'

/**
 * Three people act on the same version of a row at once: one act is carried out, and the others hear that the row has changed,
 * is gone or is busy, instead of overwriting it. On PostgreSQL the calls run at the same time, over connections that are open;
 * the embedded database runs one after the other.
 */
let world: Awaited<ReturnType<typeof openWorld>>
let decided = 0
let good: Awaited<ReturnType<typeof goodRequests>>
beforeAll(async () => {
  world = await openWorld()
  good = await goodRequests(world.app.db)
  await Promise.all(Array.from({ length: 16 }, () => world.call('GET', '/api/auth/validate', { token: world.admin })))
})
afterAll(() => world.close())

/** Changes that are not carried out once in this world, with the reason. */
const otherwise: Record<string, string> = {
  'backups.changePassword': 'a backup server tries the password, and none is there to answer',
  'moves.update': 'its workflow runs, and the test ends workflows',
  'qcChats.escalationStatus': 'whoever sets the status that it has already changes nothing',
  'qcTickets.escalationStatus': 'whoever sets the status that it has already changes nothing',
}
/** The order of the calls: acts and deletions come last, because they remove rows that the changes need. */
const versioned = writing
  .filter(({ name, endpoint: { path, schemas } }) => {
    const isOfStep = path.includes(':action') // its refusal tells no version
    return schemas.body?.shape.version && !isOfStep && !otherwise[name]
  })
  .toSorted((a, b) => Number(a.endpoint.method !== 'PATCH') - Number(b.endpoint.method !== 'PATCH'))

async function sending(call: Call) {
  const request = await good(call)
  if (!request) throw new Error(`${call.name} has no known-good request`)
  const body = JSON.parse(String(request.payload ?? '{}')) as object
  return (version: number) =>
    world.http.inject({
      ...{ method: request.method, url: request.url, payload: JSON.stringify({ ...body, version }) },
      headers: { ...request.headers, authorization: `Bearer ${world.admin}` },
    })
}

it.each(versioned)('$endpoint.method $name: of three at once, one acts on the version that all saw', async (call) => {
  await setAside(world.app.db)
  await world.app.db.execute(sql`update workflows set ended_at = now(), status = 'done' where ended_at is null`)
  const send = await sending(call)
  const { current } = JSON.parse((await send(1_000_000)).body)
  const isChange = call.endpoint.method === 'PATCH'
  if (isChange) expect(current?.version).toEqual(expect.any(Number))
  const answers = await Promise.all([1, 2, 3].map(() => send(current?.version ?? 1)))
  const said = answers.map(({ statusCode, body }) => `${statusCode} ${body.slice(0, 200)}`).join('\n')
  const carriedOut = answers.filter(({ statusCode }) => statusCode < 300).length
  expect(carriedOut, said).toBeLessThanOrEqual(1)
  if (isChange) expect(carriedOut, said).toBe(1)
  for (const { statusCode } of answers) if (statusCode >= 300) expect([404, 409, 422], said).toContain(statusCode)
  decided += carriedOut
})

it('most acts and deletions succeed once, too', () => expect(decided).toBeGreaterThan(0.8 * versioned.length))
