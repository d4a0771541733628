import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPermissionUses } from '../../kit/access/uses.ts'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { remindReviewers } from './reminders.ts'

let t: TestApp
let admin: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
})
afterAll(() => t.close())

const READ = 'dns:zone:read'
const CREATE = 'users:department:create'
const reviews = (method: 'GET' | 'POST' | 'DELETE', path = '', body?: object, token = admin.token) =>
  t.call(method, `/api/auth/access-reviews${path}`, { token, ...(body && { body }) })
const begin = async (userIds: number[], more: object = {}): Promise<number> => {
  const { status, body } = await reviews('POST', '', { name: 'Autumn', dueOn: '2999-01-01', userIds, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
interface Item {
  id: number
  userId: number
  kind: string
  outcome: string | null
}
const itemsOf = async (id: number): Promise<(Item & Record<string, unknown>)[]> =>
  (await reviews('GET', `/${id}/items?itemsPerPage=200`)).body.items
const decide = (id: number, items: number[], decision: string | null, token = admin.token) =>
  reviews('POST', `/${id}/decisions`, { items, decision }, token)

it('records uses of permissions in batches, to the hour, without a write for each call', async () => {
  const person = await t.somebody([READ])
  let now = Date.parse('2026-11-29T10:20:00Z')
  const uses = openPermissionUses(t.app.db, { now: () => now })
  const staff = { ...(await t.app.sessions.authenticate(person.token)) }
  const stored = () =>
    rows<{ at: string }>(t.app.db, sql`select last_at::text as at from permission_uses where user_id = ${person.id}`)
  for (let n = 0; n < 1000; n++) uses.note(staff, READ)
  uses.note(staff, 'signedIn')
  expect(await stored()).toEqual([])
  await uses.flush()
  const [first, ...others] = await stored()
  expect([first?.at.slice(0, 16), others]).toEqual(['2026-11-29 10:00', []])
  now += 3_600_000
  uses.note(staff, READ) // the batch is older than a minute
  await expect.poll(async () => (await stored())[0]?.at.slice(0, 16)).toBe('2026-11-29 11:00')
})

it('writes uses of one permission before and after the turn of an hour in one batch', async () => {
  const person = await t.somebody([READ])
  let now = Date.parse('2026-11-29T10:59:50Z')
  const uses = openPermissionUses(t.app.db, { now: () => now })
  const staff = await t.app.sessions.authenticate(person.token)
  uses.note(staff, READ)
  now += 20_000
  uses.note(staff, READ)
  await uses.flush()
  const stored = sql`select first_at::text as first, last_at::text as last from permission_uses where user_id = ${person.id}`
  expect(await rows(t.app.db, stored)).toMatchObject([
    { first: expect.stringContaining(' 10:00'), last: expect.stringContaining(' 11:00') },
  ])
})

it('notes a use again that could not be written', async () => {
  const person = await t.somebody([READ])
  const staff = await t.app.sessions.authenticate(person.token)
  let isAway = true
  const db = new Proxy(t.app.db, {
    get: (target, key) =>
      isAway && key === 'execute' ? () => Promise.reject(new Error('away')) : Reflect.get(target, key, target),
  })
  const uses = openPermissionUses(db)
  uses.note(staff, READ)
  await expect(uses.flush()).rejects.toThrow('away')
  isAway = false
  uses.note(staff, READ)
  await uses.flush()
  expect(await rows(t.app.db, sql`select from permission_uses where user_id = ${person.id}`)).toHaveLength(1)
})

it('shows who holds what, from where, and proposes what was not used', async () => {
  const asked = 'api:token:revoke' // asked by a handler only, so that no use is recorded
  const person = await t.somebody([READ, CREATE, 'api:token:create', asked])
  await t.call('GET', '/api/dns/zones', { token: person.token })
  await t.call('POST', '/api/api-tokens', { token: person.token, body: { name: 'Nightly', scopes: [READ] } })
  await t.app.uses.flush()
  const young = await itemsOf(await begin([person.id]))
  expect(young.map(({ kind, isProposed }) => [kind, isProposed])).toEqual([
    ['role', false],
    ['token', false],
  ])
  expect(young[0]).toMatchObject({ source: 'by hand', scopes: 4, unused: [CREATE] })
  await t.app.db.execute(
    sql`update permission_uses set first_at = first_at - interval '200 days', last_at = last_at - interval '100 days'`,
  )
  await t.app.db.execute(
    sql`update users set created_at = created_at - interval '200 days' where user_id = ${person.id}`,
  )
  await t.app.db.execute(
    sql`update api_tokens set created_at = created_at - interval '200 days' where user_id = ${person.id}`,
  )
  const old = await itemsOf(await begin([person.id]))
  expect(old.map(({ isProposed }) => isProposed)).toEqual([true, true])
  expect((await itemsOf(await begin([person.id], { unusedDays: 150 })))[0]?.isProposed).toBe(false)
})

it('removes what was decided when it ends, once, and says what stayed', async () => {
  const person = await t.somebody([READ, 'api:token:create'])
  const other = await t.somebody([READ])
  const { body: token } = await t.call('POST', '/api/api-tokens', {
    token: person.token,
    body: { name: 'Leaves', scopes: [READ] },
  })
  const id = await begin([person.id, other.id])
  const items = await itemsOf(id)
  expect((await reviews('POST', `/${id}/end`, undefined)).status).toBe(409) // rows wait
  const [kept] = items.filter(({ userId }) => userId === other.id)
  const removed = items.filter(({ userId }) => userId === person.id).map((item) => item.id)
  expect((await decide(id, removed, 'remove')).status).toBe(200)
  expect((await decide(id, [kept!.id], 'keep')).status).toBe(200)
  expect((await t.call('GET', '/api/dns/zones', { token: token.value })).status).toBe(200)
  expect(await reviews('POST', `/${id}/end`, undefined)).toMatchObject({
    status: 200,
    body: { state: 'finished', toRemove: 2 },
  })
  expect((await itemsOf(id)).map(({ outcome }) => outcome).sort()).toEqual(['Removed', 'Removed', null])
  await expect.poll(async () => (await t.call('GET', '/api/dns/zones', { token: person.token })).status).toBe(403)
  expect((await t.call('GET', '/api/dns/zones', { token: token.value })).status).toBe(401)
  expect((await t.call('GET', '/api/dns/zones', { token: other.token })).status).toBe(200)
  expect((await reviews('POST', `/${id}/end`, undefined)).status).toBe(409)
  expect((await decide(id, removed, 'keep')).status).toBe(409)
  const news = await rows<{ body: string }>(t.app.db, sql`select body from notifications where user_id = ${person.id}`)
  expect(news.map(({ body }) => body.split('. ')[1])).toEqual(
    expect.arrayContaining(['You have no role now.', 'An access review took the API token Leaves.']),
  )
  const [logged] = await rows(
    t.app.db,
    sql`select from action_logs where action = 'remove-access' and resource_id = ${String(person.id)} and result = 'success'`,
  )
  expect(logged).toBeDefined()
})

it('is decided by nobody about themselves or their programs, and by the rules of whoever ends it', async () => {
  const reviewer = await t.somebody([
    'users:access-review:read',
    'users:access-review:create',
    'users:access-review:decide',
  ])
  const { body: program } = await t.call('POST', '/api/service-accounts', {
    token: admin.token,
    body: { name: `P${reviewer.id}`, ownerId: reviewer.id, roleId: (await roleOf(reviewer.id))! },
  })
  const stronger = await t.somebody([READ])
  const id = await begin([reviewer.id, stronger.id], {})
  const all = await itemsOf(id)
  const rowsOf = (userId: number) => all.filter((item) => item.userId === userId).map((item) => item.id)
  expect((await decide(id, rowsOf(reviewer.id), 'keep', reviewer.token)).status).toBe(403)
  const ofProgram = await begin([program.id])
  const [its] = await itemsOf(ofProgram)
  expect((await decide(ofProgram, [its!.id], 'keep', reviewer.token)).status).toBe(403)
  expect((await decide(id, [...rowsOf(stronger.id), 999_999], 'remove', reviewer.token)).status).toBe(422)
  await decide(id, rowsOf(stronger.id), 'remove', reviewer.token)
  await decide(id, rowsOf(reviewer.id), 'remove')
  expect((await reviews('POST', `/${id}/end`, undefined, reviewer.token)).status).toBe(200)
  for (const { outcome } of await itemsOf(id)) expect(outcome).toMatch(/^Not removed: /)
  expect((await t.call('GET', '/api/dns/zones', { token: stronger.token })).status).toBe(200)
})

it('leaves what is gone already, keeps the last administrator, and is cancelled without effect', async () => {
  const person = await t.somebody([READ])
  const id = await begin([person.id])
  const [item] = await itemsOf(id)
  await decide(id, [item!.id], 'remove')
  await t.app.db.execute(sql`update users set role_id = null where user_id = ${person.id}`)
  await reviews('POST', `/${id}/end`, undefined)
  expect((await itemsOf(id))[0]?.outcome).toBe('Was gone already')
  const other = await t.somebody([READ])
  const cancelled = await begin([other.id])
  const [its] = await itemsOf(cancelled)
  await decide(cancelled, [its!.id], 'remove')
  expect((await reviews('DELETE', `/${cancelled}`)).status).toBe(204)
  expect((await t.call('GET', '/api/dns/zones', { token: other.token })).status).toBe(200)
})

it('is a file for auditors, in which no cell is a formula', async () => {
  const person = await t.somebody([READ])
  const id = await begin([person.id], { name: '=1+1' })
  const { status, body } = await reviews('GET', `/${id}/csv`)
  expect(status).toBe(200)
  const [heading, line] = String(body).split('\r\n')
  expect(heading).toContain('Review,State,Began,Due,Ended')
  expect(line).toMatch(/^'=1\+1,open,/)
})

it('reminds the reviewer before it is due, and once after', async () => {
  const person = await t.somebody([READ])
  const id = await begin([person.id])
  const told = async () =>
    (
      await rows(
        t.app.db,
        sql`select from notifications where link = ${`/access-reviews/${id}`} and user_id = ${admin.id}`,
      )
    ).length
  await remindReviewers(t.app)
  expect(await told()).toBe(0)
  await t.app.db.execute(sql`update access_reviews set due_on = current_date + 3 where access_review_id = ${id}`)
  await remindReviewers(t.app)
  await remindReviewers(t.app)
  expect(await told()).toBe(1)
  await t.app.db.execute(sql`update access_reviews set due_on = current_date - 1, reminded_at = now() - interval '3 days'
    where access_review_id = ${id}`)
  await remindReviewers(t.app)
  await remindReviewers(t.app)
  expect(await told()).toBe(2)
})

async function roleOf(userId: number): Promise<number | undefined> {
  const [found] = await rows<{ id: number }>(t.app.db, sql`select role_id as id from users where user_id = ${userId}`)
  return found?.id
}
