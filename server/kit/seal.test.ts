import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLog } from './audit.ts'
import { brokenSeal, sealNext } from './seal.ts'
import { openTestApp, type TestApp } from './test.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const entry = (n: number) => ({
  staffId: 1,
  staffName: 'Ingrid Solberg',
  service: 'website',
  action: 'delete',
  resource: 'website',
  resourceId: String(n),
  workflowId: null,
  ip: null,
  requestId: null,
})
/** What somebody with the files in hand could do: the triggers off, then the deed. */
const tamper = async (statement: ReturnType<typeof sql>) => {
  await t.app.db.execute(sql`alter table action_logs disable trigger all`)
  await t.app.db.execute(sql`alter table action_log_seals disable trigger all`)
  await t.app.db.execute(statement)
}

describe('the action log', () => {
  it('cannot be changed or shortened', async () => {
    await writeLog(t.app.db, entry(0), 'success')
    await expect(t.app.db.execute(sql`update action_logs set staff_name = 'nobody'`)).rejects.toThrow()
    await expect(t.app.db.execute(sql`delete from action_logs`)).rejects.toThrow()
    await expect(t.app.db.execute(sql`truncate action_logs, action_log_seals`)).rejects.toThrow()
  })
  it('is chained row by row, and an unbroken chain says so', async () => {
    for (let n = 1; n <= 20; n++) await writeLog(t.app.db, entry(n), 'success', { n })
    await sealNext(t.app.db)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
    expect(await sealNext(t.app.db)).toBe(0)
  })
  it('shows which row was altered', async () => {
    await tamper(sql`update action_logs set result = 'failed' where resource_id = '7'`)
    expect(await brokenSeal(t.app.db)).toEqual({ position: 8, rowId: 8, reason: 'altered' })
    await tamper(sql`update action_logs set result = 'success' where resource_id = '7'`)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it('shows which row is missing, also when its seal went with it', async () => {
    await tamper(sql`delete from action_log_seals where position = 12`)
    expect(await brokenSeal(t.app.db)).toEqual({ position: 12, rowId: null, reason: 'missing' })
  })
})
