import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { leavesOf, type Person } from '../../leaves/test/leaves.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { CHARGES, withoutWriting } from '../test/withoutWriting.ts'

const DAYS = 14
let t: Roster
let planner: Person
let first = 0
const at = (n: number) => t.day(first + n)

/** The first person has a roster, the second none; both have asked for four days that are charged by hours. */
beforeAll(async () => {
  t = await openRoster(3)
  planner = await t.somebody('admin', 'planner')
  first = t.freeDay()
  const l = leavesOf(t)
  await l.ask(planner, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: planner.id }] })
  await t.app.db.execute(sql`update leave_types set charge = 'hours' where code = 'paid'`)
  const cells = Array.from({ length: DAYS }, (_, n) => ({
    userId: t.people[0],
    date: at(n),
    shiftTypeId: t.types.early,
  }))
  await api('POST', '/plan', { cells, status: 'published' })
  for (const userId of t.people.slice(0, 2)) {
    const asked = await l.ask(planner, 'POST', 'requests', { userId, typeId: 1, startDate: at(3), endDate: at(6) })
    expect(asked.status).toBe(201)
  }
})
afterAll(() => t.close())

const api = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
  const answer = await t.api(method, path, body, planner.token)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const quietly = (path: string, body: unknown) =>
  withoutWriting(t.app.db, ['shifts', 'shift_batches', ...CHARGES], () => api('POST', path, body))
const costs = async () => {
  const found = await rows<{ id: number; days: number }>(
    t.app.db,
    sql`select leave_id as id, (halves / 2.0)::float8 as days from leaves order by leave_id`,
  )
  return new Map(found.map(({ id, days }) => [id, days]))
}
type Shown = { id: number; days: number; daysBefore: number }[]
/** The leaves cost before what the preview says of before, and after the act what it says of after. */
async function comesTrue(shown: Shown, act: () => Promise<unknown>): Promise<void> {
  expect(shown.length).toBeGreaterThan(0)
  const before = await costs()
  expect(shown.map(({ id, daysBefore }) => [id, daysBefore])).toEqual(shown.map(({ id }) => [id, before.get(id)]))
  await act()
  for (const { id, days } of shown) before.set(id, days)
  expect(await costs()).toEqual(before)
}

describe('a preview writes nothing, and says what the act then does:', () => {
  let batchId = 0
  it('a plan with new and removed shifts', async () => {
    const [{ id = 0 } = {}] = await rows<{ id: number }>(
      t.app.db,
      sql`select shift_id as id from shifts where user_id = ${t.people[0]} and date = ${at(5)}::date`,
    )
    const cell = (userId: number, date: string, shiftTypeId: number) => ({ userId, date, shiftTypeId })
    const [, other = 0] = t.people
    const cells = [cell(other, at(3), t.types.early), cell(other, at(8), t.types.early)]
    const plan = { cells, remove: [{ id }], status: 'published' }
    const { leaves } = await quietly('/preview', plan)
    expect(leaves).toHaveLength(2)
    await comesTrue(leaves, async () => {
      batchId = (await api('POST', '/plan', plan)).batchId
    })
    const drafts = await quietly('/preview', { cells: [cell(other, at(5), t.types.late)], status: 'draft' })
    expect(drafts.leaves).toEqual([])
  })
  it('the undoing of a plan', async () => {
    const { items } = await quietly(`/batches/${batchId}/undo/leaves`, {})
    await comesTrue(items, () => api('POST', `/batches/${batchId}/undo`, {}))
  })
  it('the undoing of a publication', async () => {
    const cell = { userId: t.people[1], date: at(4), shiftTypeId: t.types.early }
    await api('POST', '/plan', { cells: [cell], status: 'draft' })
    const { batchId: id } = await api('POST', '/publish', { from: at(0), to: at(DAYS) })
    const { items } = await quietly(`/batches/${id}/undo/leaves`, {})
    await comesTrue(items, () => api('POST', `/batches/${id}/undo`, {}))
    await t.app.db.execute(sql`delete from shifts where user_id = ${t.people[1]}`) // a draft is in the way of an automation
  })
  it('a new automation, a changed one and its removal', async () => {
    const fields = { name: 'Early', userId: t.people[1], pattern: [t.types.early], startDate: at(2), weeksAhead: 52 }
    const made = await quietly('/automations/leaves', fields)
    let automation = { id: 0, version: 0 }
    await comesTrue(made.items, async () => {
      automation = await api('POST', '/automations', fields)
    })
    const change = { id: automation.id, pattern: [t.types.early, t.types.early, null] }
    const changed = await quietly(`/automations/id/${automation.id}/leaves`, { pattern: change.pattern })
    await comesTrue(changed.items, async () => {
      automation = await api('PATCH', '/automations', { ...change, version: automation.version })
    })
    const removed = await quietly(`/automations/id/${automation.id}/removal/leaves`, {})
    await comesTrue(removed.items, () =>
      api('DELETE', '/automations', { id: automation.id, version: automation.version }),
    )
  })
  it('a run of an automation', async () => {
    const fields = { name: 'By hand', userId: t.people[1], pattern: [t.types.late], startDate: at(2), weeksAhead: 1 }
    const { id } = await api('POST', '/automations', fields)
    const span = { from: at(0), to: at(DAYS) }
    const { leaves, made } = await quietly(`/automations/id/${id}/preview`, span)
    expect(made).toBe(DAYS - 1)
    await comesTrue(leaves, () => api('POST', `/automations/id/${id}/run`, span))
  })
})
