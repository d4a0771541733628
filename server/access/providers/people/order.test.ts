import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'

/** The embedded database runs one transaction after the other. */
const onPostgres = process.env.TEST_POSTGRES ? it : () => {}

let t: TestApp
let admin = ''
let token = ''
let departmentId = 0
let providerId = 0
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin', 'root')).token
  departmentId = (await api('POST', '/departments', { name: 'Oslo' })).id
  const provider = { name: 'Company', issuer: 'https://id.example.org', clientId: 'innkeeper', linksByEmail: true }
  const mappings = ['Oslo', 'Oslo 2', 'Oslo 3', 'Harbour'].map((group) => ({ group, roleId: null, departmentId }))
  providerId = (await api('POST', '/providers', { ...provider, mappings })).id
  ;({ token } = await api('POST', `/providers/${providerId}/scim-token`))
})
afterAll(() => t.close())

const api = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
  const answer = await t.call(method, `/api/auth${path}`, { token: admin, ...(body !== undefined && { body }) })
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
async function scim(method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) {
  const answer = await t.http.inject({
    ...{ method, url: `/scim/v2${path}`, payload: JSON.stringify(body) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
  })
  return { status: answer.statusCode, body: answer.json() }
}
const person = (name: string, active = true) => ({
  ...{ userName: name, externalId: `ext-${name}`, name: { givenName: name, familyName: 'Berg' }, active },
  emails: [{ value: `${name}@example.org`, primary: true }],
})
const made = async (name: string) => Number((await scim('POST', '/Users', person(name))).body.id)
const group = (displayName: string, ...ids: number[]) => ({
  displayName,
  members: ids.map((id) => ({ value: String(id) })),
})

/** Moves a person by hand, and holds still until the provider waits for it. */
async function meeting(userId: number, way: () => Promise<{ status: number }>): Promise<number> {
  const held = Promise.withResolvers<void>()
  const provider = held.promise.then(way)
  await t.app.db.transaction(async (tx) => {
    await t.app.holdForDepartment(tx, [userId])
    held.resolve()
    await expect.poll(async () => (await rows(tx, sql`select from pg_locks where not granted`)).length).toBe(1)
    await tx.execute(sql`select from users where user_id = ${userId} for update`)
  })
  return (await provider).status
}

onPostgres('a provider whose connection ends meanwhile is asked to come again', async () => {
  const ida = await made('ida')
  const held = Promise.withResolvers<void>()
  const provider = held.promise.then(() => scim('POST', '/Groups', group('Oslo 3', ida)))
  await t.app.db.transaction(async (tx) => {
    await t.app.holdForDepartment(tx, [ida])
    held.resolve()
    const waiting = () => rows<{ pid: number }>(tx, sql`select pid from pg_locks where not granted`)
    await expect.poll(async () => (await waiting()).length).toBe(1)
    await tx.execute(sql`select pg_terminate_backend(pid) from pg_locks where not granted`)
  })
  expect(await provider).toMatchObject({ status: 503, body: { detail: 'The database is unavailable. Try again.' } })
})

onPostgres('moving people by hand and by a provider lock in one order', async () => {
  const [kari, ola, leaver] = [await made('kari'), await made('ola'), await made('leaver')]
  expect(await meeting(kari, () => scim('POST', '/Groups', group('Oslo', ola, kari)))).toBe(201)
  await scim('PATCH', `/Users/${leaver}`, { Operations: [{ op: 'replace', value: { active: false } }] })
  const back = { Operations: [{ op: 'replace', value: { active: true } }] }
  expect(await meeting(leaver, () => scim('PATCH', `/Users/${leaver}`, back))).toBe(200)
  const known = await t.somebody([], 'known')
  await t.app.db.execute(sql`update users set email = 'known@example.org' where user_id = ${known.id}`)
  expect(await meeting(known.id, () => scim('POST', '/Users', { ...person('known'), userName: 'known.berg' }))).toBe(
    201,
  )
})

it('two groups of the same people are changed at once', async () => {
  const people: number[] = []
  for (const name of ['ada', 'bo', 'cleo', 'dag']) people.push(await made(name))
  const names = ['Oslo 2', 'Harbour']
  const ids: string[] = []
  for (const name of names) ids.push((await scim('POST', '/Groups', group(name))).body.id)
  const put = (n: number, members: number[]) => scim('PUT', `/Groups/${ids[n]}`, group(names[n]!, ...members))
  for (let round = 0; round < 10; round++) {
    const full = [people, people.toReversed()]
    const answers = await Promise.all(full.map((some, n) => put(n, round % 2 ? [] : some)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  }
})
