import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { records, zones } from '../../net/dns/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { insertMany } from './insertMany.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

it('many rows are inserted in few statements, with defaults, empty values and arrays', async () => {
  const { db } = t.app
  await insertMany(db, zones, [
    { domain: 'many.example', departmentIds: [3, 4], serial: 4_000_000_001, digest: 'x', changedBy: null },
    { domain: 'more.example', departmentIds: [], serial: 1, digest: 'y', changedBy: `a "b" \\ c` },
  ])
  const [zone, more] = await db.select().from(zones).orderBy(zones.domain)
  expect(zone).toMatchObject({ departmentIds: [3, 4], serial: 4_000_000_001, changedBy: null, active: true, keys: [] })
  expect(more).toMatchObject({ departmentIds: [], changedBy: `a "b" \\ c` })
  const of = { zoneId: zone!.id, type: 'A', ttl: 300, content: '192.0.2.1' } as const
  const execute = vi.spyOn(db, 'execute')
  await insertMany(
    db,
    records,
    Array.from({ length: 2001 }, (_, n) => ({ ...of, name: `h${n}` })),
  )
  await insertMany(db, records, [])
  expect(execute).toHaveBeenCalledTimes(2)
  execute.mockRestore()
  expect(await db.$count(records, eq(records.zoneId, zone!.id))).toBe(2001)
})
