import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { remindOfLateItems } from './late.ts'

const base = '/api/bug-report/bugs'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

test('a due day that passes reminds the assignee, or the watchers of an item without one, once for each day', async () => {
  const [chief, assignee, reporter] = [
    await t.somebody('admin'),
    await t.somebody(['bug-report:bug:read']),
    await t.somebody(['bug-report:bug:read', 'bug-report:bug:create']),
  ]
  const report = async (title: string, more: object, token = chief.token) =>
    (await t.call('POST', base, { token, body: { title, ...more } })).body
  const told = async ({ id }: { id: number }) => {
    const found = await rows<{ title: string; link: string }>(
      t.app.db,
      sql`select title, link from notifications where user_id = ${id} and title like '% late%' order by notification_id`,
    )
    return found.map(({ title, link }) => [title, link])
  }
  const dueOn = '2026-01-05'
  const own = await report('Clock', { dueOn, assigneeId: assignee.id })
  const nobodys = await report('Menu', {}, reporter.token)
  await report('Coming', { dueOn: '2999-01-05', assigneeId: assignee.id })
  const gone = await report('Gone', { dueOn, assigneeId: assignee.id })
  await t.call('DELETE', `${base}/${gone.id}`, { token: chief.token, body: {} })
  await t.app.db.execute(sql`update tracker_items set due_on = ${dueOn} where tracker_item_id = ${nobodys.id}`)
  for (let round = 0; round < 2; round++) await remindOfLateItems(t.app)
  const one = [`${own.key} is late: Clock`, `/internal-tickets/bugs/${own.id}`]
  expect(await told(assignee)).toEqual([one])
  expect(await told(reporter)).toEqual([[`${nobodys.key} is late: Menu`, `/internal-tickets/bugs/${nobodys.id}`]])

  // another day that passes, and a second item: one notification for both
  await t.call('PATCH', `${base}/${own.id}`, { token: chief.token, body: { dueOn: '2026-01-06' } })
  await report('Cursor', { dueOn, assigneeId: assignee.id })
  await remindOfLateItems(t.app)
  expect(await told(assignee)).toEqual([one, ['2 bugs are late', '/internal-tickets/bugs?due=overdue']])
  // people who may no longer read bugs hear nothing
  await t.app.db.execute(sql`update tracker_items set due_on = '2026-01-07'`)
  await t.app.db.execute(sql`update users set role_id = null where user_id = ${assignee.id}`)
  await remindOfLateItems(t.app)
  expect(await told(assignee)).toHaveLength(2)
})
