import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { decides, leavesOf, type Person } from '../../leaves/test/leaves.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { CHARGES, withoutWriting } from '../test/withoutWriting.ts'
import { followSome } from './following.ts'

const PEOPLE = 60
const DAYS = 20
let t: Roster
let planner: Person
let first = 0
const leaves: number[] = []
const at = (n: number) => t.day(first + n)

beforeAll(async () => {
  t = await openRoster(PEOPLE)
  planner = await t.somebody('admin', 'planner')
  first = t.freeDay()
  const l = leavesOf(t)
  const approver = await t.somebody([...decides, 'calendar:leave:read'], 'approver')
  await l.ask(planner, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: approver.id }] })
  await t.app.db.execute(sql`update leave_types set charge = 'hours' where code = 'paid'`)
  const cells = t.people.flatMap((userId) =>
    Array.from({ length: DAYS }, (_, n) => ({ userId, date: at(n), shiftTypeId: t.types.early })),
  )
  await t.api('POST', '/plan', { cells, status: 'published' }, planner.token)
  for (const userId of t.people.slice(0, 5)) {
    const { body } = await l.ask(planner, 'POST', 'requests', { userId, typeId: 1, startDate: at(3), endDate: at(6) })
    leaves.push(body.id)
    if (leaves.length < 4) await l.review(approver, body.id)
  }
})
afterAll(() => t.close())

const costs = async () => {
  const found = await rows<{ id: number; days: number }>(
    t.app.db,
    sql`select leave_id as id, (halves / 2.0)::float8 as days from leaves where halves > 0 order by leave_id`,
  )
  return found.map(({ id, days }): [number, number] => [id, days])
}
const shownIn = ({ items }: ChangedLeaves) => items.map(({ id, days }) => [id, days]).toSorted()

const quietly = <T>(tables: string[], work: () => Promise<T>) => withoutWriting(t.app.db, tables, work)

describe('a preview of thousands of shifts writes nothing, and says what the change then does:', () => {
  it('other times of a type', async () => {
    const change = { endTime: '12:00' }
    const { early } = t.types
    const { status, body } = await quietly(['shifts', ...CHARGES], () =>
      t.api('POST', `/type/${early}/leaves`, change, planner.token),
    )
    expect([status, body.total]).toEqual([200, leaves.length])
    expect(body.items[0]).toMatchObject({ daysBefore: 4, days: 3 })
    await t.api('PATCH', `/type/${early}`, change, planner.token)
    while (await t.app.db.transaction(followSome));
    expect(await costs()).toEqual(shownIn(body))
  })
  it('a name only charges no leave', async () => {
    const { body } = await t.api('POST', `/type/${t.types.early}/leaves`, { name: 'Dawn' }, planner.token)
    expect(body.total).toBe(0)
  })
  it('another length of the working day', async () => {
    const change = { dayNormMinutes: 360 }
    const { body } = await quietly(['shifts', 'shift_settings', ...CHARGES], () =>
      t.api('POST', '/settings/leaves', change, planner.token),
    )
    expect(body.total).toBe(leaves.length)
    await t.api('PATCH', '/settings', change, planner.token)
    expect(await costs()).toEqual(shownIn(body))
  })
  it('drafts that are published', async () => {
    const [userId] = t.people
    await t.app.db.execute(sql`update shifts set status = 'draft' where user_id = ${userId} and date = ${at(6)}::date`)
    await t.app.db.execute(sql`update shifts set status = 'draft', deleted_at = null, leave_id = null
      where user_id = ${t.people[4]} and date = ${at(6)}::date`)
    const span = { from: at(0), to: at(DAYS) }
    const stored = await costs()
    const { body } = await quietly(['shifts', ...CHARGES], () => t.api('POST', '/publish/leaves', span, planner.token))
    expect(body.ids).toEqual([leaves[4]])
    await t.api('POST', '/publish', span, planner.token)
    const more = body.items[0].days - body.items[0].daysBefore
    expect([more, await costs()]).toEqual([1, stored.map(([id, days]) => [id, id === leaves[4] ? days + more : days])])
  })
  it('a holiday inside leaves', async () => {
    await t.app.db.execute(sql`update leave_types set charge = 'days' where code = 'paid'`)
    const day = at(5)
    const rule = { name: 'Founding day', country: null, month: Number(day.slice(5, 7)), day: Number(day.slice(8)) }
    const before = await costs()
    const { body } = await quietly(CHARGES, () =>
      t.call('POST', '/api/event-calendar/national-event/leaves', { token: planner.token, body: rule }),
    )
    expect([body.total, await costs()]).toEqual([leaves.length, before])
  })
})
