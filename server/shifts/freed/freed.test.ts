import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaves } from '../../leaves/tables.ts'
import { decides, leavesOf, type Person, takes } from '../../leaves/testLeaves.ts'
import { notifications } from '../../notifications/tables.ts'
import { users } from '../../users/tables.ts'
import { shifts } from '../tables.ts'
import { openRoster, type Roster } from '../testShifts.ts'
import { freeForgotten } from './free.ts'

let t: Roster
let l: ReturnType<typeof leavesOf>
let kari: Person
let ole: Person
let chief: Person
let planner: Person
beforeAll(async () => {
  t = await openRoster(1)
  l = leavesOf(t)
  kari = await t.somebody([...takes, 'calendar:shift:read'], 'kari')
  ole = await t.somebody([...takes, 'calendar:shift:read'], 'ole')
  chief = await t.somebody(decides, 'chief')
  planner = await t.somebody(['calendar:shift:create', 'calendar:shift:read'], 'planner')
  for (const { id } of [kari, ole, chief, planner])
    await t.app.db.update(users).set({ departmentId: t.departmentId }).where(eq(users.id, id))
  await t.api('PATCH', '/minimum', { departmentId: t.departmentId, minimum: Array.from({ length: 168 }, () => 1) })
})
afterAll(() => t.close())

const plan = async (who: Person, date: string, shiftTypeId = t.types.early, more: object = {}) =>
  (await t.api('POST', '', { userId: who.id, date, shiftTypeId, ...more })).body
const list = async (date: string) => (await t.api('GET', `?date=${date}`)).body.items
const approve = async (who: Person, from: string, to = from, more: object = {}) => {
  const { body } = await l.take(who, from, to, { typeId: 2, ...more })
  expect((await l.review(chief, body.id)).status).toBe(200)
  return body.id as number
}
const cancel = async (who: Person, requestId: number) => {
  const { body } = await l.ask(who, 'POST', 'cancellations', { requestId })
  return l.ask(chief, 'PATCH', `cancellations/review/${body.id}`, { isApproved: true })
}
const told = async (who: Person) =>
  (
    await t.app.db
      .select()
      .from(notifications)
      .where(sql`${notifications.userId} = ${who.id} and ${notifications.reason} = 'shifts'`)
      .orderBy(notifications.id)
  ).map(({ title }) => title)
const lastTold = async (who: Person) => (await told(who)).at(-1)

describe('an approved leave', () => {
  it('ends an offer of its shift to everybody', async () => {
    const shift = await plan(kari, '2027-01-12')
    const asks = (who: Person, path: string, body: object) => t.api('POST', `/swaps${path}`, body, who.token)
    const { body: swap } = await asks(kari, '', { shiftId: shift.id, userId: null })
    await approve(kari, '2027-01-12')
    expect((await asks(ole, `/${swap.id}/answer`, { accepts: true })).status).toBe(409)
    expect(await told(kari)).toContain('The swap of Early 06:00–14:00 on Tue 12 Jan is void')
    expect((await list('2027-01-12')).map(({ status }: { status: string }) => status)).toEqual(['open'])
  })

  it('opens the published shifts of its days, which changes coverage and hours', async () => {
    const before = await plan(kari, '2027-02-01', t.types.night)
    const shift = await plan(kari, '2027-02-02')
    const after = await plan(kari, '2027-02-03')
    const figures = async () => {
      const { body } = await t.api('GET', `/coverage?from=2027-02-02&to=2027-02-02&departmentId=${t.departmentId}`)
      const { body: sums } = await t.call('GET', `/api/shift-statistics?userId=${kari.id}&date=2027-02-01`, {
        token: t.admin,
      })
      return [body.items[0].people[3], body.items[0].people[8], sums.items[0].shifts]
    }
    expect(await figures()).toEqual([1, 1, 3])
    await approve(kari, '2027-02-02')
    expect(await figures()).toEqual([0, 0, 1])
    expect(await list('2027-02-02')).toMatchObject([{ status: 'open', userId: null, freedFrom: 'Some kari' }])
    expect(await list('2027-02-01')).toMatchObject([{ status: 'open', name: 'Night' }])
    expect(await list('2027-02-03')).toMatchObject([{ id: after.id, userId: kari.id }])
    expect([before.userId, shift.userId]).toEqual([kari.id, kari.id])
  })
  it('notifies the person, the planners, and everybody who may take the shifts', async () => {
    await plan(kari, '2027-02-09')
    await plan(ole, '2027-02-09', t.types.late)
    await approve(kari, '2027-02-09')
    expect(await lastTold(kari)).toBe('Off the plan, because of your leave: Early 06:00–14:00 on Tue 9 Feb')
    expect(await told(planner)).toContain('Some kari is on leave: 1 shift off the plan')
    expect(await lastTold(ole)).toBe('Open shift: Early 06:00–14:00 on Tue 9 Feb')
    await plan(kari, '2027-02-10')
    await plan(ole, '2027-02-10', t.types.early)
    const count = (await told(ole)).length
    await approve(kari, '2027-02-10')
    expect(await told(ole)).toHaveLength(count)
  })
  it('removes drafts without a notification, and all shifts if the settings say so', async () => {
    await plan(kari, '2027-02-15', t.types.early, { status: 'draft' })
    await approve(kari, '2027-02-15')
    expect(await list('2027-02-15')).toEqual([])
    await t.api('PATCH', '/settings', { onLeave: 'remove' })
    await plan(kari, '2027-02-16')
    const id = await approve(kari, '2027-02-16')
    expect(await list('2027-02-16')).toEqual([])
    await t.api('PATCH', '/settings', { onLeave: 'open' })
    expect((await cancel(kari, id)).status).toBe(200)
    expect(await list('2027-02-16')).toMatchObject([{ userId: kari.id, status: 'published' }])
  })
  it('of a morning frees the morning shift and keeps the evening shift', async () => {
    await plan(kari, '2027-02-18', t.types.early, { endTime: '12:00' })
    const { id } = await plan(kari, '2027-02-18', t.types.late)
    await approve(kari, '2027-02-18', '2027-02-18', { startPart: 'morning' })
    expect(await list('2027-02-18')).toMatchObject([
      { id, userId: kari.id },
      { userId: null, endTime: '12:00' },
    ])
  })
  it('frees the shifts that the approver saw, but no shifts of an automation that continues during leaves', async () => {
    const make = (name: string, onLeave: string, startDate: string) =>
      t.api('POST', '/automations', {
        ...{ name, userId: kari.id, pattern: [t.types.early], startDate, endDate: startDate, weeksAhead: 30, onLeave },
      })
    await make('Through', 'work', '2027-02-22')
    await make('Stops', 'skip', '2027-02-23')
    const { body } = await l.take(kari, '2027-02-22', '2027-02-23', { typeId: 2 })
    const shown = (await l.ask(chief, 'GET', `requests/${body.id}/coverage`)).body.shifts
    expect(shown.map(({ date }: { date: string }) => date)).toEqual(['2027-02-23'])
    await l.review(chief, body.id)
    expect([await list('2027-02-22'), await list('2027-02-23')]).toMatchObject([
      [{ userId: kari.id }],
      [{ userId: null }],
    ])
  })
  it('refuses new shifts of the person, even the night before, and automations leave the days empty', async () => {
    await approve(kari, '2027-03-02')
    const night = await t.api('POST', '', { userId: kari.id, date: '2027-03-01', shiftTypeId: t.types.night })
    expect([night.status, night.body.current.conflicts[0].kind]).toEqual([409, 'leave'])
  })
  it('that an earlier version approved without freeing shifts gets them freed by the worker', async () => {
    const { body } = await l.take(kari, '2027-03-08', '2027-03-08', { typeId: 2 })
    await plan(kari, '2027-03-08')
    await t.app.db.update(leaves).set({ status: 'approved' }).where(eq(leaves.id, body.id))
    await freeForgotten(t.app.db)
    expect(await list('2027-03-08')).toMatchObject([{ userId: null, freedFrom: 'Some kari' }])
  })
})

describe('a cancelled leave', () => {
  it('returns the shifts that are still open, and notifies the person and the planner', async () => {
    const shift = await plan(kari, '2027-04-06')
    const id = await approve(kari, '2027-04-06')
    expect((await cancel(kari, id)).status).toBe(200)
    expect(await list('2027-04-06')).toMatchObject([{ id: shift.id, userId: kari.id, status: 'published' }])
    expect(await lastTold(kari)).toBe('Yours again: Early 06:00–14:00 on Tue 6 Apr')
    expect(await lastTold(planner)).toBe('The leave of Some kari is cancelled: 1 shift on the plan again')
  })
  it('leaves a shift with the person who took it, and restores no shift that a planner removed', async () => {
    await plan(kari, '2027-04-12')
    await plan(kari, '2027-04-13')
    const id = await approve(kari, '2027-04-12', '2027-04-13')
    const [open] = await list('2027-04-12')
    expect((await t.api('POST', `/${open.id}/take`, {}, ole.token)).status).toBe(200)
    const [other] = await list('2027-04-13')
    await t.api('DELETE', '', { id: other.id })
    await cancel(kari, id)
    expect(await list('2027-04-12')).toMatchObject([{ userId: ole.id }])
    expect(await list('2027-04-13')).toEqual([])
  })
  it('restores no shift that overlaps another shift of the person', async () => {
    await plan(kari, '2027-04-19')
    const id = await approve(kari, '2027-04-19')
    await t.app.db.update(leaves).set({ status: 'pending' }).where(eq(leaves.id, id)) // so that a plan is allowed
    await plan(kari, '2027-04-19', t.types.early, { startTime: '08:00' })
    await t.app.db.update(leaves).set({ status: 'approved' }).where(eq(leaves.id, id))
    await cancel(kari, id)
    const found = await list('2027-04-19')
    expect(found.map(({ userId }: { userId: number | null }) => userId)).toEqual([null, kari.id])
  })
  it('restores a shift that was opened again by a leave of the person who took it', async () => {
    const shift = await plan(kari, '2027-04-26')
    const hers = await approve(kari, '2027-04-26')
    const [open] = await list('2027-04-26')
    await t.api('POST', `/${open.id}/take`, {}, ole.token)
    const his = await approve(ole, '2027-04-26')
    await cancel(kari, hers)
    expect(await list('2027-04-26')).toMatchObject([{ id: shift.id, userId: kari.id }])
    await cancel(ole, his)
    expect(await list('2027-04-26')).toMatchObject([{ id: shift.id, userId: kari.id }])
  })
  it('restores no shift of an automation that was deleted in between', async () => {
    const { body } = await t.api('POST', '/automations', {
      ...{ name: 'Short', userId: kari.id, pattern: [t.types.early], startDate: '2027-05-04', endDate: '2027-05-04' },
      weeksAhead: 30,
    })
    const id = await approve(kari, '2027-05-04')
    await t.api('DELETE', '/automations', { id: body.id })
    await cancel(kari, id)
    expect(await list('2027-05-04')).toMatchObject([{ userId: null }])
  })
})

it('a plan with a shift that a leave freed can be undone only after the leave is cancelled', async () => {
  const { body } = await t.api('POST', '/plan', {
    cells: [{ userId: kari.id, date: '2027-05-10', shiftTypeId: t.types.early }],
    status: 'published',
  })
  const id = await approve(kari, '2027-05-10')
  expect(await t.api('POST', `/batches/${body.batchId}/undo`, {})).toMatchObject({
    status: 409,
    body: { message: 'Some kari is on leave since: nothing was taken back' },
  })
  await cancel(kari, id)
  expect((await t.api('POST', `/batches/${body.batchId}/undo`, {})).status).toBe(200)
  expect(await t.app.db.select().from(shifts).where(eq(shifts.date, '2027-05-10'))).toMatchObject([
    { userId: null, deletedAt: expect.anything() },
  ])
})

it('a restored shift has the current times of its type', async () => {
  const { body: type } = await t.api('POST', '/type', { name: 'Floor', startTime: '08:00', endTime: '16:00' })
  const shift = await plan(kari, '2027-05-10', type.id)
  const id = await approve(kari, '2027-05-10')
  await t.api('PATCH', `/type/${type.id}`, { startTime: '09:00', endTime: '17:00' })
  expect((await cancel(kari, id)).status).toBe(200)
  expect(await list('2027-05-10')).toMatchObject([
    { id: shift.id, userId: kari.id, startTime: '09:00', endTime: '17:00' },
  ])
})

it('planners see a leave that waits for a decision on the roster; colleagues do not', async () => {
  await l.take(kari, '2027-05-12', '2027-05-12', { typeId: 2 })
  const leavesSeenBy = async (who: Person) =>
    (await t.api('GET', '/roster?from=2027-05-12&to=2027-05-12', undefined, who.token)).body.leaves
  expect(await leavesSeenBy(planner)).toMatchObject([{ userId: kari.id, pending: true, label: 'Leave asked for' }])
  expect(await leavesSeenBy(kari)).toHaveLength(1)
  expect(await leavesSeenBy(ole)).toEqual([])
})

it('a leave counted by the roster costs the rostered shifts, even on a weekend, or their hours', async () => {
  const charge = (kind: string) =>
    t.call('PATCH', '/api/leave-calendar/types/1', { token: t.admin, body: { charge: kind } })
  const preview = async (startDate: string, endDate: string) =>
    (await l.ask(kari, 'POST', 'requests/preview', { typeId: 1, startDate, endDate })).body
  await plan(kari, '2027-06-05', t.types.early) // a Saturday
  await plan(kari, '2027-06-06', t.types.early, { startTime: '06:00', endTime: '18:00' })
  expect((await preview('2027-06-05', '2027-06-06')).days).toBe(0)
  await charge('shifts')
  expect(await preview('2027-06-05', '2027-06-06')).toMatchObject({ days: 2, shifts: 2, weekend: 0, problems: {} })
  expect((await preview('2027-06-02', '2027-06-03')).problems.startDate).toBe(
    'Nothing to take: no shift is rostered on these days',
  )
  await charge('hours')
  expect((await preview('2027-06-05', '2027-06-06')).days).toBe(2.5)
  await charge('days')
})
