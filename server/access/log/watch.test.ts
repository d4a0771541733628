import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { notifyBroken, verifyDaily } from './watch.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const HOUR_MS = 3_600_000
const checks = () =>
  rows<{ whole: boolean; behind: number }>(
    t.app.db,
    sql`select whole, behind::int from action_log_checks order by action_log_check_id`,
  )
/** Ends the running verification at the 7th seal, this many hours ago. */
const end = (hours: number, broken: number | null = null) =>
  t.app.db.execute(sql`update action_log_checks set position = 7, broken_position = ${broken}, broken_reason = 'missing',
    started_at = now() - make_interval(hours => ${hours}), ended_at = now() - make_interval(hours => ${hours})
    where ended_at is null`)

describe('the worker', () => {
  it('requests a verification of the log once a day, and of the whole log once a week', async () => {
    await verifyDaily(t.app, 0)
    expect(await checks()).toEqual([]) // a restart requests none
    await verifyDaily(t.app, HOUR_MS)
    await verifyDaily(t.app, HOUR_MS)
    expect(await checks()).toEqual([{ whole: true, behind: 0 }])
    await end(24)
    await verifyDaily(t.app, HOUR_MS)
    expect((await checks())[1]).toEqual({ whole: false, behind: 7 })
    await end(24)
    await t.app.db.execute(sql`update action_log_checks set ended_at = now() - interval '8 days' where whole`)
    await verifyDaily(t.app, HOUR_MS)
    expect((await checks())[2]).toEqual({ whole: true, behind: 0 })
  })
  it('verifies the whole log after a broken seal, and notifies readers of the log once', async () => {
    const reader = await t.somebody(['logs:action-logs:read'])
    const other = await t.somebody([])
    await end(24, 3)
    await verifyDaily(t.app, HOUR_MS)
    expect((await checks())[3]).toEqual({ whole: true, behind: 0 })
    await notifyBroken(t.app)
    await notifyBroken(t.app)
    const told = await rows<{ userId: number; body: string }>(
      t.app.db,
      sql`select user_id as "userId", body from notifications where reason = 'log'`,
    )
    expect(told.filter(({ userId }) => userId === reader.id)).toEqual([
      { userId: reader.id, body: expect.stringMatching(/^Row 3 of the chain is missing/) },
    ])
    expect(told.some(({ userId }) => userId === other.id)).toBe(false)
  })
})
