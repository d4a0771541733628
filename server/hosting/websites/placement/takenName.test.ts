import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { takenName } from './takenName.ts'

const MANY = 20_000
let t: TestApp
let kari: number
let lars: number
beforeAll(async () => {
  t = await openTestApp()
  const { db } = t.app
  const serverId = await enrolled(db, 'web-taken')
  const made = await db
    .insert(owners)
    .values(['Kari', 'Lars'].map((name) => ({ name, email: 'owner@example.org' })))
    .returning()
  kari = made[0]!.id
  lars = made[1]!.id
  const [account] = await db
    .insert(systemUsers)
    .values({ username: 'many', serverId, ownerId: kari, planId: 1, homeDir: '/home/many', shell: '/bin/false' })
    .returning()
  await db.execute(sql`insert into websites (domain, kind, status, owner_id, server_id, plan_id, system_user_id, document_root, php_version)
    select 'site' || n || '.example', 'main', 'active', ${kari}::int, ${serverId}::int, 1, ${account!.id}::int, '/home/many/x/public', '8.2'
    from generate_series(1, ${MANY}::int) n`)
  await db.execute(sql`insert into websites (domain, kind, status, owner_id, server_id, plan_id, system_user_id, document_root, php_version)
    values ('deep.below.example', 'main', 'active', ${lars}::int, ${serverId}::int, 1, ${account!.id}::int, '/home/many/y/public', '8.2'),
      ('*.wild.example', 'alias', 'active', ${lars}::int, ${serverId}::int, 1, ${account!.id}::int, '/home/many/y/public', '8.2')`)
  await db.execute(sql`analyze websites`)
})
afterAll(() => t.close())

describe('a name', () => {
  it('is taken if it exists, or as a www name, below a wildcard, or as a wildcard above a name', async () => {
    const { db } = t.app
    expect(await takenName(db, 'site7.example', { ownerId: kari })).toMatch(
      /^site7.example is website \d+ already \(active\)$/,
    )
    expect(await takenName(db, 'www.site7.example', { ownerId: kari })).toContain(
      'is served already with site7.example',
    )
    expect(await takenName(db, 'a.b.wild.example', { ownerId: kari })).toContain('*.wild.example of Lars')
    expect(await takenName(db, 'a.b.wild.example', { ownerId: lars })).toBeUndefined()
    expect(await takenName(db, '*.below.example', { ownerId: kari })).toContain('deep.below.example below it is')
    expect(await takenName(db, '*.below.example', { ownerId: lars })).toBeUndefined()
    expect(await takenName(db, 'below.example', { ownerId: kari })).toBeUndefined()
    expect(await takenName(db, 'free.example', { ownerId: kari })).toBeUndefined()
  })

  it(`is checked among ${MANY} websites by indexes only`, async () => {
    const scans = await t.app.db.transaction(async (tx) => {
      for (const name of ['site7.example', 'www.free.example', 'a.b.wild.example', '*.below.example', '*.free.example'])
        await takenName(tx, name, { ownerId: kari })
      return rows<{ seq: number; idx: number }>(
        tx,
        sql`select seq_scan::int as seq, idx_scan::int as idx from pg_stat_xact_user_tables where relname = 'websites'`,
      )
    })
    expect(scans).toEqual([{ seq: 0, idx: expect.any(Number) }])
    expect(scans[0]!.idx).toBeGreaterThan(0)
  })
})
