import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from '../db/db.ts'
import { writeLog } from './audit.ts'
import { brokenSeal, sealNext } from './seal.ts'

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
/** Changes rows with disabled triggers, as somebody with access to the files could. */
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
  it('is chained row by row, and reports an intact chain', async () => {
    for (let n = 1; n <= 20; n++) await writeLog(t.app.db, entry(n), 'success', { n })
    await sealNext(t.app.db)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
    expect(await sealNext(t.app.db)).toBe(0)
  })
  it('names the altered row', async () => {
    await tamper(sql`update action_logs set result = 'failed' where resource_id = '7'`)
    expect(await brokenSeal(t.app.db)).toEqual({ position: 8, rowId: 8, reason: 'altered' })
    await tamper(sql`update action_logs set result = 'success' where resource_id = '7'`)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it.each([
    ...['at', 'staff_id', 'staff_name', 'service', 'action', 'resource', 'resource_id', 'before', 'after'],
    ...['workflow_id', 'ip', 'request_id'],
  ])('names a row whose %s was altered', async (column) => {
    const other: Record<string, string> = {
      at: `at + interval '1 millisecond'`,
      staff_id: '2',
      before: `'{"n":0}'`,
      after: `'{"n":0}'`,
      workflow_id: '7',
    }
    const name = sql.identifier(column)
    await tamper(sql`create table kept as select * from action_logs where resource_id = '9'`)
    await tamper(sql`update action_logs set ${name} = ${sql.raw(other[column] ?? `'9999'`)} where resource_id = '9'`)
    expect(await brokenSeal(t.app.db)).toMatchObject({ position: 10, reason: 'altered' })
    await tamper(sql`update action_logs l set ${name} = k.${name} from kept k where k.action_log_id = l.action_log_id`)
    await tamper(sql`drop table kept`)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it('detects two swapped rows, by their numbers or their seals', async () => {
    const numbers = sql`update action_logs set action_log_id = case resource_id
      when '3' then -1 when '4' then -2 end where resource_id in ('3', '4')`
    const [three, four] = await rows<{ id: number }>(
      t.app.db,
      sql`select action_log_id::int as id from action_logs where resource_id in ('3', '4') order by 1`,
    )
    const put = (a: number, b: number) =>
      sql`update action_logs set action_log_id = case resource_id when '3' then ${a}::int else ${b}::int end
        where resource_id in ('3', '4')`
    await tamper(
      sql`alter table action_log_seals drop constraint if exists action_log_seals_action_log_id_action_logs_action_log_id_fk`,
    )
    await tamper(sql`alter table action_logs alter column action_log_id drop identity if exists`)
    await tamper(numbers)
    await tamper(put(four!.id, three!.id))
    expect(await brokenSeal(t.app.db)).toMatchObject({ position: 4, reason: 'altered' })
    await tamper(numbers)
    await tamper(put(three!.id, four!.id))
    expect(await brokenSeal(t.app.db)).toBeUndefined()

    const swap = sql`update action_log_seals set position = case position when 1005 then 6 else 5 end where position in (1005, 1006)`
    const aside = sql`update action_log_seals set position = position + 1000 where position in (5, 6)`
    for (const expected of [{ position: 5, reason: 'altered' }, {}]) {
      await tamper(aside)
      await tamper(swap)
      expect((await brokenSeal(t.app.db)) ?? {}).toMatchObject(expected)
    }
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it('detects a missing first row with its seal', async () => {
    await tamper(sql`create table kept as select * from action_log_seals where position = 1`)
    await tamper(sql`delete from action_log_seals where position = 1`)
    expect(await brokenSeal(t.app.db)).toMatchObject({ position: 1, reason: 'missing' })
    await tamper(sql`insert into action_log_seals select * from kept`)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it('detects a row removed from the middle', async () => {
    await tamper(sql`create table gone as select * from action_logs where resource_id = '15'`)
    await tamper(sql`delete from action_logs where resource_id = '15'`)
    expect(await brokenSeal(t.app.db)).toMatchObject({ position: 16, reason: 'missing' })
    await tamper(sql`insert into action_logs overriding system value select * from gone`)
    expect(await brokenSeal(t.app.db)).toBeUndefined()
  })
  it('names the missing row, even without its seal', async () => {
    await tamper(sql`delete from action_log_seals where position = 12`)
    expect(await brokenSeal(t.app.db)).toEqual({ position: 12, rowId: null, reason: 'missing' })
  })
})
