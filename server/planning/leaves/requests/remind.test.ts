import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { decides, leavesOf, type Person, takes } from '../test/leaves.ts'
import { remindApprovers } from './remind.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
})
afterAll(() => t.close())

test('approvers are reminded once of a leave, or of a cancellation, that begins tomorrow and waits', async () => {
  const [chief, lead, kim] = [
    await t.somebody('admin'),
    await t.somebody([...decides, 'calendar:leave:read']),
    await l.joined(await t.somebody(takes)),
  ]
  await l.ask(chief, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: lead.id }] })
  const told = async ({ id }: Person) => {
    const found = await rows<{ title: string; link: string }>(
      t.app.db,
      sql`select title, link from notifications where user_id = ${id} and level = 'warning' order by notification_id`,
    )
    return found.map(({ title, link }) => [title, link])
  }
  const ask = async (day: string) => (await l.take(kim, day)).body.id as number
  const [first, second, third] = [await ask('2027-02-01'), await ask('2027-02-02'), await ask('2027-02-03')]
  /** Lets a leave begin in so many days. */
  const begin = (id: number, days: number) =>
    t.app.db.execute(sql`update leaves set start_date = current_date + ${days}::int, end_date = current_date + ${days}::int
      where leave_id = ${id}`)
  await begin(first, 3)
  await remindApprovers(t.app)
  expect(await told(lead)).toEqual([])
  await begin(first, 1)
  for (let round = 0; round < 2; round++) await remindApprovers(t.app)
  const one = [
    expect.stringMatching(/^Some \S+’s leave begins on \d+ \w+ \d{4}, and waits for a decision$/),
    `/leaves/all?leave=${first}`,
  ]
  expect([await told(lead), await told(kim)]).toEqual([[one], []])

  // a cancellation beside a request: one notification for both
  await l.review(lead, second)
  await l.ask(kim, 'POST', 'cancellations', { requestId: second })
  await begin(second, 0)
  await begin(third, -1)
  for (let round = 0; round < 2; round++) await remindApprovers(t.app)
  expect(await told(lead)).toEqual([
    one,
    ['2 leaves begin by tomorrow, and wait for a decision', '/leaves/all?tab=waiting&mine=true'],
  ])
})
