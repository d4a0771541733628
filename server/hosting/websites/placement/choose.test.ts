import { sitePath } from '@innkeeper/contract/kit/values'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { plans } from '../../plans/tables.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { choose } from './placement.ts'

let t: TestApp
let requested: { originServer: number; userId: number; plan: string }
let token: string
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  const originServer = await enrolled(t.app.db, 'web-long', { provisionedAt: new Date().toISOString() })
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  requested = { originServer, userId: owner!.id, plan: 'Business' }
})
afterAll(() => t.close())

const named = (length: number) =>
  `${'a23456789.'.repeat(30).slice(0, length - 8)}`.replace(/\.$/, 'a').concat('.example')

test('refuses a domain that exceeds the agent’s folder name, and accepts the longest possible', async () => {
  const [long, longer] = [named(128), named(129)]
  expect([long, longer].map((domain) => sitePath.safeParse(`/home/a/${domain}`).success)).toEqual([true, false])
  const refused = await t.call('POST', '/api/websites', { token, body: { ...requested, domain: longer } })
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    { domain: 'At most 128 characters: it names a folder on the server' },
  ])
  const taken = await t.call('POST', '/api/websites', { token, body: { ...requested, domain: long } })
  expect([taken.status, taken.body.data.domain]).toEqual([201, long])
})

test('creations at the same time never put more websites into an account than its plan allows', async () => {
  await t.app.db.update(plans).set({ websites: 2 }).where(eq(plans.name, 'Business'))
  const create = (domain: string) => t.call('POST', '/api/websites', { token, body: { ...requested, domain } })
  const statuses = (await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(`${name}.example`)))).map(
    ({ status }) => status,
  )
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
  const counts = await rows<{ n: number }>(
    t.app.db,
    sql`select count(*)::int as n from websites group by system_user_id`,
  )
  expect(counts.filter(({ n }) => n > 2)).toEqual([])
})

test('an account that another website makes between two questions is the asked one, not a taken name', async () => {
  const { db } = t.app
  const [plan] = await db.update(plans).set({ websites: 9 }).where(eq(plans.name, 'Business')).returning()
  const { originServer: serverId, userId: ownerId } = requested
  const account = {
    username: 'racer',
    serverId,
    ownerId,
    planId: plan!.id,
    homeDir: '/home/racer',
    shell: '/usr/sbin/nologin',
  }
  let isMade = false
  const racing = new Proxy(db, {
    get(inner, key) {
      const value: unknown = Reflect.get(inner, key)
      if (key !== 'execute') return value
      return async (...asked: Parameters<typeof inner.execute>) => {
        if (!isMade) await inner.insert(systemUsers).values(account)
        isMade = true
        return inner.execute(...asked)
      }
    },
  })
  const asked = { ...requested, domain: 'racer.example', systemUser: 'racer' }
  const { problems, username, account: found } = await choose(racing, asked)
  expect([isMade, problems, username, found?.username]).toEqual([true, {}, 'racer', 'racer'])
  const [other] = await db.insert(owners).values({ name: 'Ola', email: 'ola@example.org' }).returning()
  expect((await choose(db, { ...asked, userId: other!.id })).problems.systemUser).toContain('belongs to another owner')
})
