import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf, weekdayOf, yearOf } from '../../calendar/days.ts'
import { openRoster, type Roster } from '../test/shifts.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(4)
})
afterAll(() => t.close())

const create = (userId: number | null, date: string, shiftTypeId: number, more: object = {}, token?: string) =>
  t.api('POST', '', { userId, date, shiftTypeId, ...more }, token)
const kinds = (body: { current?: { conflicts: { kind: string; refuses: boolean }[] } }) =>
  body.current?.conflicts.map(({ kind, refuses }) => [kind, refuses])
const days = (from: number, n: number) =>
  Array.from({ length: n }, (_, i) => `2027-03-${String(from + i).padStart(2, '0')}`)

describe('a warning', () => {
  it('of short rest refuses a new, moved or taken shift only with stopAtWarnings', async () => {
    const stopAtWarnings = true
    const [kari] = t.people
    await create(kari!, '2027-03-01', t.types.late)
    const refused = await create(kari!, '2027-03-02', t.types.early, { stopAtWarnings })
    expect([refused.status, kinds(refused.body)]).toEqual([409, [['rest', false]]])
    const { body } = await create(kari!, '2027-03-03', t.types.early)
    const moved = await t.api('PATCH', `/${body.id}`, { date: '2027-03-02', stopAtWarnings })
    expect([moved.status, kinds(moved.body)]).toEqual([409, [['rest', false]]])
    expect((await t.api('PATCH', `/${body.id}`, { date: '2027-03-02' })).status).toBe(200)

    const me = await t.somebody([])
    await create(me.id, '2027-03-10', t.types.late)
    const open = await create(null, '2027-03-11', t.types.early, { departmentId: t.departmentId })
    await t.api('PATCH', '/settings', { restMinutes: 660 })
    const admin = await t.somebody('admin')
    await create(admin.id, '2027-03-10', t.types.late)
    const taken = await t.api('POST', `/${open.body.id}/take`, { stopAtWarnings }, admin.token)
    expect([taken.status, kinds(taken.body)]).toEqual([409, [['rest', false]]])
    expect((await t.api('POST', `/${open.body.id}/take`, {}, admin.token)).status).toBe(200)
  })
  it('of a long week counts stored and new shifts, but not those that the plan replaces', async () => {
    const [, ole] = t.people
    const week = days(15, 6)
    for (const date of week) await create(ole!, date, t.types.late)
    const preview = (date: string, more: object = {}) =>
      t.api('POST', '/preview', { cells: [{ userId: ole, date, shiftTypeId: t.types.late }], ...more })
    const { body } = await preview('2027-03-21')
    expect(body.conflicts).toMatchObject([
      { kind: 'week', refuses: false, text: 'works 56 h in the week of 15 Mar, more than 48 h' },
    ])
    const { items } = (await t.api('GET', '?date=2027-03-20')).body
    const remove = items.map(({ id, version }: { id: number; version: number }) => ({ id, version }))
    expect((await preview('2027-03-21', { remove })).body.conflicts).toEqual([])
    await t.api('PATCH', '/settings', { weekMinutes: 0 })
    expect((await preview('2027-03-21')).body.conflicts).toEqual([])
  })
  it('of many nights in a row includes stored nights before and after the new ones', async () => {
    const [, , eva] = t.people
    for (const date of [...days(1, 3), ...days(5, 2)]) await create(eva!, date, t.types.night)
    const { body } = await t.api('POST', '/preview', {
      cells: [{ userId: eva, date: '2027-03-04', shiftTypeId: t.types.night }],
    })
    expect(body.conflicts).toMatchObject([
      { kind: 'nights', refuses: false, text: 'has 6 nights in a row from 1 Mar, more than 5' },
    ])
    const early = await t.api('POST', '/preview', {
      cells: [{ userId: eva, date: '2027-03-08', shiftTypeId: t.types.night }],
    })
    expect(early.body.conflicts).toEqual([])
  })
})

describe('undo', () => {
  const plan = async (date: string) =>
    (await t.api('POST', '/plan', { cells: [{ userId: t.people[3], date, shiftTypeId: t.types.early }] })).body.batchId
  const undo = (id: number) => t.api('POST', `/batches/${id}/undo`, {})

  it('of a plan works only after its publication is undone', async () => {
    const planned = await plan('2027-04-05')
    const { body } = await t.api('POST', '/publish', { from: '2027-04-05', to: '2027-04-05' })
    expect((await undo(planned)).body.message).toMatch(/was published since/)
    expect((await undo(body.batchId)).status).toBe(200)
    expect((await undo(planned)).status).toBe(200)
    expect((await t.api('GET', '?date=2027-04-05')).body.total).toBe(0)
  })
  it('of a plan works after the removal of its shift is undone', async () => {
    const planned = await plan('2027-04-07')
    await t.api('DELETE', '', { userId: t.people[3], date: '2027-04-07' })
    const [removal] = (await t.api('GET', '/batches')).body.items
    expect((await undo(removal.id)).status).toBe(200)
    expect((await undo(planned)).status).toBe(200)
  })
})

describe('a shift in the hour that a clock change skips', () => {
  it.each([
    ['02:00', '03:00'],
    ['02:30', '03:15'],
  ])('%s–%s has no length and is refused', async (startTime, endTime) => {
    const { status, body } = await create(t.people[3]!, '2027-03-28', t.types.early, { startTime, endTime })
    expect([status, body.fields?.startTime]).toEqual([
      422,
      'The clocks are put forward on 28 Mar 2027: these times do not exist',
    ])
  })
  it('is skipped by an automation, and counted', async () => {
    const endOfMarch = dayOf(yearOf(t.today) + 1, 3, 31)
    const sunday = addDays(endOfMarch, -(weekdayOf(endOfMarch) % 7)) // of the next summer time
    const { body: type } = await t.api('POST', '/type', { name: 'Check', startTime: '02:00', endTime: '03:00' })
    const { status, body } = await t.api('POST', '/automations', {
      ...{
        name: 'Check',
        userId: t.people[3],
        pattern: [type.id],
        startDate: addDays(sunday, -1),
        endDate: addDays(sunday, 1),
      },
      weeksAhead: 104,
    })
    expect(status).toBe(201)
    const run = await t.api('POST', `/automations/id/${body.id}/preview`, {})
    expect(run.body.kept).toMatchObject({ clocks: 1 })
  })
})

it('an automation plans further than a year ahead', async () => {
  const { status, body } = await t.api('POST', '/automations', {
    ...{ name: 'Far', userId: t.people[3], pattern: [t.types.late, ...Array(27).fill(null)], startDate: t.day(1) },
    weeksAhead: 104,
  })
  expect([status, body.plannedTo]).toEqual([201, t.day(104 * 7 - 1)])
  const last = await t.api('GET', `?userIds=${t.people[3]}&from=${t.day(420)}&to=${t.day(730)}`)
  expect(last.body.total).toBeGreaterThan(8)
})
