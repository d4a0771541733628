import { count, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brokenSeal } from './kit/audit/seal.ts'
import { seedSets } from './machines/ipsets/seed.ts'
import { seedZones } from './net/dns/seed.ts'
import { seedDesk } from './seed/desk.ts'
import { seed } from './seed/seed.ts'
import { actionLogSeals, actionLogs, notifications, redisCaches, sftpKeys } from './tables.ts'
import { openTestApp, type TestApp } from './test/app.ts'

let t: TestApp
let token: string
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  await seed(t.app.db, () => {}, undefined, 120)
  await seedDesk(t.app.db, () => {})
  await seedZones(t.app.db, () => {})
  await seedSets(t.app.db, () => {})
})
afterAll(() => t.close())

const get = (path: string) => t.call('GET', `/api${path}`, { token })

it('seals all rows of a seeded log, with a valid chain', async () => {
  const [logged] = await t.app.db.select({ n: count() }).from(actionLogs)
  const [sealed] = await t.app.db.select({ n: count() }).from(actionLogSeals)
  expect(logged?.n).toBeGreaterThan(400)
  expect(sealed?.n).toBe(logged?.n)
  expect(await brokenSeal(t.app.db)).toBeUndefined()
})

it('seeds notifications for people, some of them unread', async () => {
  const [unread] = await t.app.db.select({ n: count() }).from(notifications).where(isNull(notifications.readAt))
  expect(unread?.n).toBeGreaterThan(5)
  const { body } = await get('/employee-controller/notifications')
  expect(body.items.length).toBeGreaterThan(5)
  expect(body.items.some(({ readAt }: { readAt: string | null }) => readAt === null)).toBe(true)
  expect(body.items.some(({ readAt }: { readAt: string | null }) => readAt !== null)).toBe(true)
})

it('lists the last workflow of each object of seeded websites', async () => {
  const { items, total } = (await get('/website-orchestrator/resources?resourceType=nginx-site')).body
  expect([items.length, total]).toEqual([25, expect.any(Number)])
  expect(total).toBeGreaterThan(100)
})

it('seeds IP sets with active and expired bans', async () => {
  const { items } = (await get('/ipset/sets')).body
  expect(items.map(({ name }: { name: string }) => name)).toContain('brute-force')
  for (const state of ['live', 'ended'])
    expect((await get(`/ipset/sets/brute-force/ips?state=${state}`)).body.items).toHaveLength(25)
})

it('seeds profiles with personal details', async () => {
  const { items } = (await get('/employee-controller/profile?itemsPerPage=50')).body
  const told = items.filter(({ timeZone, hiredAt }: { timeZone: string; hiredAt: string }) => timeZone && hiredAt)
  expect(told.length).toBeGreaterThan(30)
})

it('seeds saved views with filters that are valid for their lists', async () => {
  const paths: Record<string, string> = { websites: '/websites', 'action-logs': '/logs', users: '/auth/users' }
  const { items } = (await get('/views')).body
  expect(items.length).toBeGreaterThan(2)
  for (const { list, filters, sort, direction } of items) {
    const asked = Object.entries(filters as Record<string, string[]>).map(([key, values]): [string, string] => [
      key,
      values.join(','),
    ])
    const order: [string, string][] = sort
      ? [
          ['sort', sort],
          ['direction', direction],
        ]
      : []
    const { status } = await get(`${paths[list]}?${new URLSearchParams([...asked, ...order])}`)
    expect(status, `${list} ${JSON.stringify(filters)}`).toBe(200)
  }
})

it('seeds zones with the records of their websites, which searches find', async () => {
  const { items, total } = (await get('/dns/zones')).body
  expect(total).toBeGreaterThan(80)
  const records = (await get(`/dns/records?zoneId=${items[0].id}`)).body.items as { type: string }[]
  expect(records.map(({ type }) => type)).toEqual(expect.arrayContaining(['A', 'NS', 'MX', 'TXT']))
  expect(records).toHaveLength(items[0].records)
})

it('seeds accounts with keys, caches and measured usage', async () => {
  const [cache] = await t.app.db.select().from(redisCaches).where(isNull(redisCaches.problem)).limit(1)
  const { body: redis } = await get(`/redis-cache/status?website_id=${cache?.websiteId}`)
  expect(redis).toMatchObject({ state: 'on', problem: null, seen: { up: true, maxBytes: redis.memoryMb * 1024 ** 2 } })
  const [key] = await t.app.db.select().from(sftpKeys).limit(1)
  expect((await get(`/system-user/system-users/${key?.systemUserId}/sftp`)).body).toMatchObject({
    hostKeys: [expect.stringMatching(/^SHA256:\S{43} \(ED25519\)$/)],
    keys: expect.arrayContaining([expect.objectContaining({ fingerprint: key?.fingerprint, state: 'active' })]),
  })
  const { items } = (await get('/system-user/system-users?over=true')).body
  expect(items.length).toBeGreaterThan(0)
  for (const { diskUsedMb, planDiskMb } of items) expect(diskUsedMb).toBeGreaterThan(planDiskMb)
})
