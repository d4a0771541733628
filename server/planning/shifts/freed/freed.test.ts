import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifications } from '../../../access/notifications/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { comingDay, dayInWords } from '../../../test/comingDays.ts'
import { leaves } from '../../leaves/tables.ts'
import { decides, leavesOf, type Person, takes } from '../../leaves/test/leaves.ts'
import { shifts } from '../tables.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
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
/** From and until which minute of a day Kari is on leave, as the roster shows it. */
const awayOn = async (day: string) => {
  const { leaves: shown } = (await t.api('GET', `/roster?from=${day}&to=${day}`)).body
  return shown
    .filter(({ userId }: { userId: number }) => userId === kari.id)
    .map(({ fromMinute, toMinute }: Record<'fromMinute' | 'toMinute', number>) => [fromMinute, toMinute])
}
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
    const shift = await plan(kari, comingDay(0, 2))
    const asks = (who: Person, path: string, body: object) => t.api('POST', `/swaps${path}`, body, who.token)
    const { body: swap } = await asks(kari, '', { shiftId: shift.id, userId: null })
    await approve(kari, comingDay(0, 2))
    expect((await asks(ole, `/${swap.id}/answer`, { accepts: true })).status).toBe(409)
    expect(await told(kari)).toContain(`The swap of Early 06:00–14:00 on ${dayInWords(comingDay(0, 2))} is void`)
    expect((await list(comingDay(0, 2))).map(({ status }: { status: string }) => status)).toEqual(['open'])
  })

  it('opens the published shifts of its days, which changes coverage and hours', async () => {
    const before = await plan(kari, comingDay(3, 1), t.types.night)
    const shift = await plan(kari, comingDay(3, 2))
    const after = await plan(kari, comingDay(3, 3))
    const figures = async () => {
      const { body } = await t.api(
        'GET',
        `/coverage?from=${comingDay(3, 2)}&to=${comingDay(3, 2)}&departmentId=${t.departmentId}`,
      )
      const { body: sums } = await t.call(
        'GET',
        `/api/shift-statistics?userId=${kari.id}&from=${comingDay(3, 1)}&to=${comingDay(3, 3)}`,
        {
          token: t.admin,
        },
      )
      return [body.items[0].people[3], body.items[0].people[8], sums.items[0].shifts]
    }
    expect(await figures()).toEqual([1, 1, 3])
    await approve(kari, comingDay(3, 2))
    expect(await figures()).toEqual([0, 0, 1])
    expect(await list(comingDay(3, 2))).toMatchObject([{ status: 'open', userId: null, freedFrom: 'Some kari' }])
    expect(await list(comingDay(3, 1))).toMatchObject([{ status: 'open', name: 'Night' }])
    expect(await list(comingDay(3, 3))).toMatchObject([{ id: after.id, userId: kari.id }])
    expect([before.userId, shift.userId]).toEqual([kari.id, kari.id])
  })
  it('notifies the person, the planners, and everybody who may take the shifts', async () => {
    await plan(kari, comingDay(4, 2))
    await plan(ole, comingDay(4, 2), t.types.late)
    await approve(kari, comingDay(4, 2))
    expect(await lastTold(kari)).toBe(
      `Off the plan, because of your leave: Early 06:00–14:00 on ${dayInWords(comingDay(4, 2))}`,
    )
    expect(await told(planner)).toContain('Some kari is on leave: 1 shift off the plan')
    expect(await lastTold(ole)).toBe(`Open shift: Early 06:00–14:00 on ${dayInWords(comingDay(4, 2))}`)
    await plan(kari, comingDay(4, 3))
    await plan(ole, comingDay(4, 3), t.types.early)
    const count = (await told(ole)).length
    await approve(kari, comingDay(4, 3))
    expect(await told(ole)).toHaveLength(count)
  })
  it('removes drafts without a notification, and all shifts if the settings say so', async () => {
    await plan(kari, comingDay(5, 1), t.types.early, { status: 'draft' })
    await approve(kari, comingDay(5, 1))
    expect(await list(comingDay(5, 1))).toEqual([])
    await t.api('PATCH', '/settings', { onLeave: 'remove' })
    await plan(kari, comingDay(5, 2))
    const id = await approve(kari, comingDay(5, 2))
    expect(await list(comingDay(5, 2))).toEqual([])
    await t.api('PATCH', '/settings', { onLeave: 'open' })
    expect((await cancel(kari, id)).status).toBe(200)
    expect(await list(comingDay(5, 2))).toMatchObject([{ userId: kari.id, status: 'published' }])
  })
  it('of a morning frees the morning shift and keeps the evening shift', async () => {
    await plan(kari, comingDay(5, 4), t.types.early, { endTime: '12:00' })
    const { id } = await plan(kari, comingDay(5, 4), t.types.late)
    await approve(kari, comingDay(5, 4), comingDay(5, 4), { startPart: 'morning' })
    expect(await list(comingDay(5, 4))).toMatchObject([
      { id, userId: kari.id },
      { userId: null, endTime: '12:00' },
    ])
  })
  it('of half a day cuts a shift at the hour of the workplace, and its cancellation restores the shift', async () => {
    const day = comingDay(9, 2)
    const shift = await plan(kari, day, t.types.early, { startTime: '09:00', endTime: '17:30', breakMinutes: 30 })
    const id = await approve(kari, day, day, { startPart: 'morning' })
    expect(await awayOn(day)).toEqual([[0, 720]])
    const cut = await list(day)
    expect(cut).toMatchObject([
      { userId: kari.id, status: 'published', startTime: '12:00', endTime: '17:30', breakMinutes: 20 },
      { userId: null, status: 'open', startTime: '09:00', endTime: '12:00', breakMinutes: 10 },
    ])
    expect(await lastTold(kari)).toMatch(/^Your shift changed: Early 12:00–17:30/)
    expect((await cancel(kari, id)).status).toBe(200)
    expect(await list(day)).toMatchObject([{ id: shift.id, startTime: '09:00', endTime: '17:30', breakMinutes: 30 }])
  })
  it('of an afternoon cuts the other half, at the hour of the department, and a changed rest stays', async () => {
    const [day, at] = [comingDay(9, 3), { departmentId: t.departmentId, country: null, region: null, timeZone: 'UTC' }]
    const place = (halfDayMinute: number) =>
      t.call('PATCH', '/api/event-calendar/workplaces', { token: t.admin, body: { ...at, halfDayMinute } })
    expect((await place(13 * 60)).body.halfDayMinute).toBe(780)
    await plan(kari, day, t.types.early, { startTime: '09:00', endTime: '17:00' })
    const id = await approve(kari, day, day, { startPart: 'afternoon' })
    expect(await awayOn(day)).toEqual([[780, 1440]])
    const [rest, off] = await list(day)
    expect([rest, off]).toMatchObject([
      { userId: kari.id, startTime: '09:00', endTime: '13:00' },
      { userId: null, startTime: '13:00', endTime: '17:00' },
    ])
    await t.api('PATCH', `/${rest.id}`, { startTime: '08:00' })
    await cancel(kari, id)
    expect(await list(day)).toMatchObject([{ id: rest.id, startTime: '08:00' }, { id: off.id }])
    await place(720)
  })
  it('of half a day leaves the rest of a shift that an automation plans later', async () => {
    const day = comingDay(9, 5)
    const id = await approve(kari, day, day, { startPart: 'morning' })
    const pattern = { userId: kari.id, pattern: [t.types.early], startDate: day, endDate: day, weeksAhead: 104 }
    const { body: automation } = await t.api('POST', '/automations', { name: 'After', ...pattern, onLeave: 'skip' })
    expect(await list(day)).toMatchObject([{ userId: kari.id, startTime: '12:00', endTime: '14:00' }])
    await cancel(kari, id)
    await t.api('POST', `/automations/id/${automation.id}/run`, { from: day, to: day })
    expect(await list(day)).toMatchObject([{ userId: kari.id, startTime: '06:00', endTime: '14:00' }])
  })
  it('frees the shifts that the approver saw, but no shifts of an automation that continues during leaves', async () => {
    const make = (name: string, onLeave: string, startDate: string) =>
      t.api('POST', '/automations', {
        ...{ name, userId: kari.id, pattern: [t.types.early], startDate, endDate: startDate, weeksAhead: 104, onLeave },
      })
    await make('Through', 'work', comingDay(6, 1))
    await make('Stops', 'skip', comingDay(6, 2))
    const { body } = await l.take(kari, comingDay(6, 1), comingDay(6, 2), { typeId: 2 })
    const shown = (await l.ask(chief, 'GET', `requests/${body.id}/coverage`)).body.shifts
    expect(shown.map(({ date }: { date: string }) => date)).toEqual([comingDay(6, 2)])
    await l.review(chief, body.id)
    expect([await list(comingDay(6, 1)), await list(comingDay(6, 2))]).toMatchObject([
      [{ userId: kari.id }],
      [{ userId: null }],
    ])
  })
  it('refuses new shifts of the person, even the night before, and automations leave the days empty', async () => {
    await approve(kari, comingDay(7, 2))
    const night = await t.api('POST', '', { userId: kari.id, date: comingDay(7, 1), shiftTypeId: t.types.night })
    expect([night.status, night.body.current.conflicts[0].kind]).toEqual([409, 'leave'])
  })
  it('that an earlier version approved without freeing shifts gets them freed by the worker', async () => {
    const { body } = await l.take(kari, comingDay(8, 1), comingDay(8, 1), { typeId: 2 })
    await plan(kari, comingDay(8, 1))
    await t.app.db.update(leaves).set({ status: 'approved' }).where(eq(leaves.id, body.id))
    await freeForgotten(t.app.db)
    expect(await list(comingDay(8, 1))).toMatchObject([{ userId: null, freedFrom: 'Some kari' }])
  })
})

describe('the preview of a decision', () => {
  const effects = async (path: 'requests' | 'cancellations', ids: number[], who = chief) =>
    (await l.ask(who, 'POST', `${path}/review/effects`, { ids })).body
  it('names the shifts that an approval takes or cuts, and those that a cancellation returns, and changes nothing', async () => {
    const [whole, half] = [comingDay(18, 1), comingDay(18, 2)]
    const shift = await plan(kari, whole)
    const cut = await plan(kari, half)
    const { body: one } = await l.take(kari, whole, whole, { typeId: 2 })
    const { body: two } = await l.take(kari, half, half, { typeId: 2, startPart: 'afternoon', endPart: 'afternoon' })
    const before = [await list(whole), await list(half)]
    const found = await effects('requests', [one.id, two.id])
    expect(found).toMatchObject({ total: 2, leaves: { total: 0 }, refusals: [] })
    expect(found.shifts).toMatchObject([
      { userName: 'Some kari', name: 'Early', date: whole, startsAt: shift.startsAt, becomes: 'off', stays: null },
      { date: half, endsAt: cut.endsAt, becomes: 'cut', stays: { startsAt: cut.startsAt } },
    ])
    expect([await list(whole), await list(half)]).toEqual(before)
    for (const { id } of [one, two]) expect((await l.review(chief, id)).status).toBe(200)
    const rest = (await list(half)).find(({ userId }: { userId: number | null }) => userId === kari.id)
    expect(found.shifts[1].stays).toEqual({ startsAt: rest.startsAt, endsAt: rest.endsAt })
    expect(await effects('requests', [one.id]), 'decided meanwhile').toMatchObject({ total: 0, refusals: [] })
    for (const { id } of [one, two]) await l.ask(kari, 'POST', 'cancellations', { requestId: id })
    expect(await effects('cancellations', [one.id, two.id])).toMatchObject({
      total: 2,
      shifts: [
        { date: whole, becomes: 'back', stays: null },
        { date: half, becomes: 'back', startsAt: cut.startsAt, endsAt: cut.endsAt },
      ],
    })
  })
  it('names the leaves whose approval would be refused, beside the others', async () => {
    const date = comingDay(18, 3)
    await plan(ole, date)
    const boss = await t.somebody([...decides, ...takes], 'boss')
    const { body: own } = await l.take(boss, date, date, { typeId: 2 })
    const { body: other } = await l.take(ole, date, date, { typeId: 2 })
    expect(await effects('requests', [own.id, other.id], boss)).toMatchObject({
      total: 1,
      refusals: [{ id: own.id, message: 'Nobody decides about their own leave' }],
    })
  })
})

describe('a cancelled leave', () => {
  it('returns the shifts that are still open, and notifies the person and the planner', async () => {
    const shift = await plan(kari, comingDay(12, 2))
    const id = await approve(kari, comingDay(12, 2))
    expect((await cancel(kari, id)).status).toBe(200)
    expect(await list(comingDay(12, 2))).toMatchObject([{ id: shift.id, userId: kari.id, status: 'published' }])
    expect(await lastTold(kari)).toBe(`Yours again: Early 06:00–14:00 on ${dayInWords(comingDay(12, 2))}`)
    expect(await lastTold(planner)).toBe('The leave of Some kari is cancelled: 1 shift on the plan again')
  })
  it('leaves a shift with the person who took it, and restores no shift that a planner removed', async () => {
    await plan(kari, comingDay(13, 1))
    await plan(kari, comingDay(13, 2))
    const id = await approve(kari, comingDay(13, 1), comingDay(13, 2))
    const [open] = await list(comingDay(13, 1))
    expect((await t.api('POST', `/${open.id}/take`, {}, ole.token)).status).toBe(200)
    const [other] = await list(comingDay(13, 2))
    await t.api('DELETE', '', { id: other.id })
    await cancel(kari, id)
    expect(await list(comingDay(13, 1))).toMatchObject([{ userId: ole.id }])
    expect(await list(comingDay(13, 2))).toEqual([])
  })
  it('restores no shift that overlaps another shift of the person', async () => {
    await plan(kari, comingDay(14, 1))
    const id = await approve(kari, comingDay(14, 1))
    await t.app.db.update(leaves).set({ status: 'pending' }).where(eq(leaves.id, id)) // so that a plan is allowed
    await plan(kari, comingDay(14, 1), t.types.early, { startTime: '08:00' })
    await t.app.db.update(leaves).set({ status: 'approved' }).where(eq(leaves.id, id))
    await cancel(kari, id)
    const found = await list(comingDay(14, 1))
    expect(found.map(({ userId }: { userId: number | null }) => userId)).toEqual([null, kari.id])
  })
  it('restores a shift that was opened again by a leave of the person who took it', async () => {
    const shift = await plan(kari, comingDay(15, 1))
    const hers = await approve(kari, comingDay(15, 1))
    const [open] = await list(comingDay(15, 1))
    await t.api('POST', `/${open.id}/take`, {}, ole.token)
    const his = await approve(ole, comingDay(15, 1))
    await cancel(kari, hers)
    expect(await list(comingDay(15, 1))).toMatchObject([{ id: shift.id, userId: kari.id }])
    await cancel(ole, his)
    expect(await list(comingDay(15, 1))).toMatchObject([{ id: shift.id, userId: kari.id }])
  })
  it('restores no shift of an automation that was deleted in between', async () => {
    const { body } = await t.api('POST', '/automations', {
      ...{
        name: 'Short',
        userId: kari.id,
        pattern: [t.types.early],
        startDate: comingDay(16, 2),
        endDate: comingDay(16, 2),
      },
      weeksAhead: 104,
    })
    const id = await approve(kari, comingDay(16, 2))
    await t.api('DELETE', '/automations', { id: body.id })
    await cancel(kari, id)
    expect(await list(comingDay(16, 2))).toMatchObject([{ userId: null }])
  })
})

it('a plan with a shift that a leave freed can be undone only after the leave is cancelled', async () => {
  const { body } = await t.api('POST', '/plan', {
    cells: [{ userId: kari.id, date: comingDay(17, 1), shiftTypeId: t.types.early }],
    status: 'published',
  })
  const id = await approve(kari, comingDay(17, 1))
  expect(await t.api('POST', `/batches/${body.batchId}/undo`, {})).toMatchObject({
    status: 409,
    body: { message: 'Some kari is on leave since: nothing was taken back' },
  })
  await cancel(kari, id)
  expect((await t.api('POST', `/batches/${body.batchId}/undo`, {})).status).toBe(200)
  expect(
    await t.app.db
      .select()
      .from(shifts)
      .where(eq(shifts.date, comingDay(17, 1))),
  ).toMatchObject([{ userId: null, deletedAt: expect.anything() }])
})

it('a restored shift has the current times of its type', async () => {
  const { body: type } = await t.api('POST', '/type', { name: 'Floor', startTime: '08:00', endTime: '16:00' })
  const shift = await plan(kari, comingDay(17, 1), type.id)
  const id = await approve(kari, comingDay(17, 1))
  await t.api('PATCH', `/type/${type.id}`, { startTime: '09:00', endTime: '17:00' })
  expect((await cancel(kari, id)).status).toBe(200)
  expect(await list(comingDay(17, 1))).toMatchObject([
    { id: shift.id, userId: kari.id, startTime: '09:00', endTime: '17:00' },
  ])
})

it('planners see a leave that waits for a decision on the roster; colleagues do not', async () => {
  await l.take(kari, comingDay(17, 3), comingDay(17, 3), { typeId: 2 })
  const leavesSeenBy = async (who: Person) =>
    (await t.api('GET', `/roster?from=${comingDay(17, 3)}&to=${comingDay(17, 3)}`, undefined, who.token)).body.leaves
  expect(await leavesSeenBy(planner)).toMatchObject([{ userId: kari.id, pending: true, label: 'Leave asked for' }])
  expect(await leavesSeenBy(kari)).toHaveLength(1)
  expect(await leavesSeenBy(ole)).toEqual([])
})

it('a leave counted by the roster costs the rostered shifts, even on a weekend, or their hours', async () => {
  const charge = (kind: string) =>
    t.call('PATCH', '/api/leave-calendar/types/1', { token: t.admin, body: { charge: kind } })
  const preview = async (startDate: string, endDate: string) =>
    (await l.ask(kari, 'POST', 'requests/preview', { typeId: 1, startDate, endDate })).body
  await plan(kari, comingDay(20, 6), t.types.early) // a Saturday
  await plan(kari, comingDay(20, 7), t.types.early, { startTime: '06:00', endTime: '18:00' })
  expect((await preview(comingDay(20, 6), comingDay(20, 7))).days).toBe(0)
  await charge('shifts')
  expect(await preview(comingDay(20, 6), comingDay(20, 7))).toMatchObject({
    days: 2,
    shifts: 2,
    weekend: 0,
    problems: {},
  })
  expect((await preview(comingDay(20, 3), comingDay(20, 4))).problems.startDate).toBe(
    'Nothing to take: no shift is rostered on these days',
  )
  await charge('hours')
  expect((await preview(comingDay(20, 6), comingDay(20, 7))).days).toBe(2.5)
  await charge('days')
})
