import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { countsOf, fullFor } from './room.ts'

let t: TestApp
let admin: string
let web: number
let mail: number
let owner: number
let plan: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  web = await enrolled(t.app.db, 'web-room', { provisionedAt: new Date().toISOString() })
  mail = await enrolled(t.app.db, 'mail-room', { type: 'mail' })
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  owner = kari!.id
  const limits = { name: 'Narrow', websites: 3, databases: 1, mailboxes: 1, ftpUsers: 1 }
  plan = (await call('POST', '/system-user/plans', limits)).body.id
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body: unknown = {}) =>
  t.call(method, `/api${path}`, { token: admin, ...(method !== 'GET' && { body }) })
async function done(method: 'POST' | 'DELETE' | 'PATCH', path: string, body: unknown = {}) {
  const answer = await call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  for (const server of [web, mail, web, mail]) await carryOutAll(t.app.db, server, () => ({}))
  return answer.body.data
}
const site = (domain: string) => done('POST', '/websites', { originServer: web, domain, plan, userId: owner })
const full = (field: string) => ({
  status: 422,
  body: { fields: { [field]: expect.stringContaining('allows no more mailboxes') } },
})

it('no restore, move or other website of a mail domain passes the mailboxes of a plan', async () => {
  const [first, second] = [await site('first.example'), await site('second.example')]
  expect(first.systemUserId).toBe(second.systemUserId)
  const gone = await done('POST', '/mailbox/mailboxes', { domain: 'first.example', websiteId: first.id })
  await done('POST', `/mailbox/mailboxes/${gone.id}/users`, { localPart: 'kari' })
  await done('DELETE', `/mailbox/mailboxes/${gone.id}`, { domain: 'first.example' })
  const kept = await done('POST', '/mailbox/mailboxes', { domain: 'second.example', websiteId: second.id })
  await done('POST', `/mailbox/mailboxes/${kept.id}/users`, { localPart: 'kari' })
  expect(await call('POST', `/mailbox/mailboxes/${gone.id}/restore`)).toMatchObject(full('websiteId'))
  // a domain without a website counts nowhere until it gets one
  const free = await done('POST', '/mailbox/mailboxes', { domain: 'first.example', again: true })
  await done('POST', `/mailbox/mailboxes/${free.id}/users`, { localPart: 'ola' })
  const assign = () => call('PATCH', `/mailbox/mailboxes/${free.id}`, { websiteId: first.id })
  expect(await assign()).toMatchObject(full('websiteId'))
  await done('DELETE', `/websites/${second.id}`)
  await done('PATCH', `/mailbox/mailboxes/${free.id}`, { websiteId: first.id })
  expect(await call('POST', `/websites/${second.id}/restore`)).toMatchObject(full('domain'))
  // an account that the website moves into counts what comes along
  expect(await fullFor(t.app.db, first.systemUserId, await countsOf(t.app.db, [first.id]))).toContain('1 mailboxes')
  expect(await fullFor(t.app.db, first.systemUserId, { mailboxes: 0, databases: 1 })).toBeUndefined()
  const seen = await call('POST', `/system-user/plans/${plan}/preview`, { mailboxes: 0 })
  expect([seen.status, seen.body.exceeding.length]).toEqual([200, 1])
  const smaller = await call('PATCH', `/system-user/plans/${plan}`, { mailboxes: 0 })
  expect([smaller.status, smaller.body.message]).toEqual([422, expect.stringContaining('has 1 mailboxes')])
  await done('DELETE', `/mailbox/mailboxes/${free.id}`, { domain: 'first.example' })
  await done('POST', `/websites/${second.id}/restore`)
})

it('counts what an unfinished move brings to an account', async () => {
  const { db } = t.app
  const other = await enrolled(db, 'web-arrivals', { provisionedAt: new Date().toISOString() })
  const [there, coming] = [await site('there.example'), await site('coming.example')]
  await done('POST', '/database/databases', { websiteId: coming.id, name: 'coming', engine: 'mariadb' })
  const [account] = await rows<{ id: number }>(
    db,
    sql`insert into system_users (username, server_id, owner_id, plan_id, home_dir, shell)
      select 'arrivals', ${other}::int, owner_id, plan_id, '/home/arrivals', shell from system_users
        where system_user_id = ${there.systemUserId} returning system_user_id as id`,
  )
  const space = () => fullFor(db, account!.id, { databases: 1 })
  expect(await space()).toBeUndefined()
  const sites = JSON.stringify([{ id: coming.id, to: { systemUserId: account!.id } }])
  await db.execute(sql`insert into website_migrations (type, status, domain, source_website_id, source_server_id, target_server_id,
      soak_hours, started_by, sites) values ('website', 'running', 'coming.example', ${coming.id}, ${web}, ${other}, 1, 'Kari',
      ${sites}::jsonb)`)
  expect(await space()).toContain('1 databases')
  await db.execute(sql`update website_migrations set status = 'rolled-back'`)
  expect(await space()).toBeUndefined()
})

it('refuses an import into an account that uses more disk than its plan allows', async () => {
  const { db } = t.app
  const [made] = await rows<{ id: number; account: number }>(
    db,
    sql`select database_id as id, system_user_id as account from databases join websites using (website_id)
      where databases.name = 'coming'`,
  )
  const uses = (mb: number) =>
    db.execute(sql`update system_users set disk_used_mb = ${mb} where system_user_id = ${made!.account}`)
  const ask = () => call('POST', `/database/databases/${made!.id}/imports`, { path: 'dump.sql' })
  await uses(20_000_000)
  expect(await ask()).toMatchObject({ status: 422, body: { fields: { path: expect.stringContaining('20000000 MB') } } })
  await uses(1)
  expect((await ask()).status).toBe(201)
})
