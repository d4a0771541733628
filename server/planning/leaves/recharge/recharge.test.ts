import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profiles } from '../../../access/profiles/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { addDays, weekdayOf, yearOf } from '../../calendar/days.ts'
import { turnYears } from '../entitlements/yearEnd.ts'
import { type Person, takes } from '../test/leaves.ts'
import { openStaffed, type Staffed, three } from '../test/staffed.ts'

let { t, l, chief, approver, worker, works, told, monday } = {} as Staffed // opened below
beforeAll(async () => {
  ;({ t, l, chief, approver, worker, works, told, monday } = await openStaffed())
})
afterAll(() => t.close())

const national = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object) =>
  t.call(method, `/api/event-calendar/national-event${path}`, { token: chief.token, body })

describe('working days of one’s own', () => {
  it('decide what a leave takes, and which hours are due, from their first day on', async () => {
    const ann = await worker()
    const from = monday(1)
    expect((await works(ann, from, three)).body.items).toMatchObject([{ from, minutes: three }])
    expect((await l.take(ann, monday(0), addDays(monday(0), 6))).body.days).toBe(5)
    expect((await l.take(ann, monday(2), addDays(monday(2), 6))).body.days).toBe(3)
    const due = async (week: number) => {
      const [to] = [addDays(monday(week), 6)]
      const { body } = await t.api('GET', `/hours?from=${monday(week)}&to=${to}`, undefined, chief.token)
      return body.items.find(({ userId }: { userId: number }) => userId === ann.id).normHours
    }
    expect(await due(1)).toBe(22.5)
    expect(await due(2)).toBe(22.5) // the leave is only asked for
    expect((await works(ann, from, [1, 2, 3])).status).toBe(400)
  })
  it('change open leaves in one act: shown before, confirmed by their ids, told to people and approvers', async () => {
    const bo = await worker()
    const { body: leave } = await l.take(bo, monday(0), addDays(monday(0), 4))
    await l.review(approver, leave.id)
    const wanted = { from: monday(0), minutes: three }
    const preview = await l.ask(chief, 'POST', `employee/${bo.id}/working-days/preview`, wanted)
    expect(preview.body).toMatchObject({ total: 1, ids: [leave.id], items: [{ days: 3, daysBefore: 5 }] })
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(5)
    expect((await works(bo, wanted.from, three, { leaves: [] })).status).toBe(409)
    expect((await works(bo, wanted.from, three, { leaves: [leave.id] })).status).toBe(200)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(3)
    const { body } = await l.ask(chief, 'GET', `employee/${bo.id}?year=${yearOf(monday(0))}`)
    expect(body.ledger.find(({ days }: { days: number }) => days === 2).note).toMatch(
      /^Working days from .*: the leave takes 3 days instead of 5 days$/,
    )
    expect((await told(bo))[0]?.title).toBe('Your leave takes 3 days instead of 5 days')
    expect((await told(approver))[0]?.title).toBe('A leave takes other days')
    // a cancelled leave gives back what it took at last
    await l.ask(bo, 'POST', 'cancellations', { requestId: leave.id })
    const asked = (await l.ask(chief, 'GET', `requests/${leave.id}`)).body.cancellation
    await l.ask(approver, 'PATCH', `cancellations/review/${asked.id}`, { isApproved: true })
    expect(await l.balance(bo, yearOf(monday(0)))).toMatchObject({ used: 0, pending: 0 })
  })
  it('are not changed by oneself, and not in a closed month', async () => {
    const eli = await t.somebody([...takes, 'calendar:employee:update'])
    expect(
      (await l.ask(eli, 'POST', `employee/${eli.id}/working-days`, { from: monday(0), minutes: three })).status,
    ).toBe(403)
    await t.app.db.execute(sql`insert into shift_months (month, closed_by) values ('2025-02-01', 'test')`)
    const { status, body } = await works(eli, '2025-02-15', three)
    await t.app.db.execute(sql`delete from shift_months`)
    expect([status, body.fields.from]).toEqual([422, 'February 2025 is closed: its figures are final'])
  })
  it('warn planners on days off', async () => {
    const fay = await worker()
    await works(fay, monday(0), three)
    const plan = (date: string, more = {}) =>
      t.api('POST', '', { userId: fay.id, date, shiftTypeId: t.types.early, ...more }, chief.token)
    const refused = await plan(addDays(monday(3), 3), { stopAtWarnings: true })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('does not work on Thursdays')])
    expect((await plan(monday(3), { stopAtWarnings: true })).status).toBe(201)
  })
})

describe('hours due', () => {
  it('are none from people without shifts and without working days', async () => {
    const gil = await worker()
    const hours = async () => {
      const { body } = await t.api(
        'GET',
        `/hours?from=${monday(0)}&to=${addDays(monday(0), 6)}`,
        undefined,
        chief.token,
      )
      return body.items.find(({ userId }: { userId: number }) => userId === gil.id)
    }
    expect(await hours()).toMatchObject({ shifts: 0, normHours: 0, difference: 0 })
    await t.api('POST', '', { userId: gil.id, date: monday(0), shiftTypeId: t.types.early }, chief.token)
    expect(await hours()).toMatchObject({ shifts: 1, normHours: 40 })
    await works(gil, monday(0), [0, 0, 0, 0, 0, 0, 0])
    expect(await hours()).toMatchObject({ shifts: 1, normHours: 0 })
  })
  it('beside hours by the clock and hours that passed: the nights of clock changes have 9 and 7 hours', async () => {
    const hal = await worker()
    for (const date of ['2027-03-27', '2027-10-30'])
      await t.api('POST', '', { userId: hal.id, date, shiftTypeId: t.types.night }, chief.token)
    const of = async (month: string) =>
      (await t.call('GET', `/api/shift-statistics?userId=${hal.id}&date=${month}`, { token: chief.token })).body
        .items[0]
    expect(await of('2027-03-01')).toMatchObject({ hours: 8, workedHours: 7 })
    expect(await of('2027-10-01')).toMatchObject({ hours: 8, workedHours: 9 })
    const period = async (from: string, to: string) =>
      (await t.api('GET', `/hours?from=${from}&to=${to}`, undefined, chief.token)).body.items.find(
        ({ userId }: { userId: number }) => userId === hal.id,
      )
    expect(await period('2027-03-20', '2027-04-05')).toMatchObject({ hours: 8, workedHours: 7 })
    expect(await period('2027-10-25', '2027-11-05')).toMatchObject({ hours: 8, workedHours: 9 })
  })
})

describe('a holiday', () => {
  it('added inside leaves is shown with the leaves that it changes, and gives days back; removed, it takes them', async () => {
    const ida = await worker()
    const planner = await t.somebody(['calendar:shift:create'])
    const day = addDays(monday(5), 2)
    const { body: leave } = await l.take(ida, monday(5), addDays(monday(5), 4))
    await l.review(approver, leave.id)
    const rule = { name: 'Founding day', country: null, month: Number(day.slice(5, 7)), day: Number(day.slice(8)) }
    const preview = await national('POST', '/leaves', rule)
    expect(preview.body.items).toMatchObject([{ userId: ida.id, days: 4, daysBefore: 5 }])
    const made = await national('POST', '', { ...rule, leaves: preview.body.ids })
    expect(made.status).toBe(201)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(4)
    for (const one of [ida, approver, planner])
      expect((await told(one))[0]?.body).toContain('Founding day was added to the calendar')
    // another day of the week gives the first one back and takes that one; the preview of the form answers it before
    const later = { day: Number(addDays(day, 1).slice(8)), month: Number(addDays(day, 1).slice(5, 7)) }
    const change = await national('POST', `/${made.body.id}/leaves`, later)
    expect([change.status, change.body.items]).toEqual([200, []])
    const renamed = await national('POST', `/${made.body.id}/leaves`, { name: 'Day of founding' })
    expect([renamed.status, renamed.body.total]).toEqual([200, 0])
    const removal = await national('POST', `/${made.body.id}/removal/leaves`, {})
    expect(removal.body.items).toMatchObject([{ userId: ida.id, days: 5, daysBefore: 4 }])
    const { status } = await national('DELETE', '', { id: made.body.id, leaves: removal.body.ids })
    expect(status).toBe(204)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(5)
    expect(await l.balance(ida, yearOf(day))).toMatchObject({ used: 5 })
  })
  it('in the past year leaves the days of a leave over New Year as they were', async () => {
    const eva = await worker()
    const year = yearOf(t.today)
    await t.app.db.insert(profiles).values({ id: eva.id, hiredAt: `${year - 2}-01-01`, lastDay: null })
    const last = [27, 28, 29, 30, 31].map((day) => `${year - 1}-12-${day}`).find((day) => weekdayOf(day) < 6)!
    const { body: leave } = await l.take(eva, `${year - 1}-12-27`, `${year}-01-09`)
    await l.review(approver, leave.id)
    const before = await l.balance(eva, year - 1)
    expect([leave.status, before.used > 0]).toEqual(['pending', true])
    const rule = { name: 'Late idea', country: null, month: 12, day: Number(last.slice(8)), validFrom: year - 2 }
    const { body: preview } = await national('POST', '/leaves', rule)
    const { body: made } = await national('POST', '', { ...rule, leaves: preview.ids })
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(leave.days)
    expect(await l.balance(eva, year - 1)).toEqual(before)
    await national('DELETE', '', { id: made.id })
  })
  it('of half a day takes half a day of leave and half of the hours due', async () => {
    const jan = await worker()
    const half = monday(7)
    const place = { departmentId: t.departmentId, country: 'NO', region: null, timeZone: 'Europe/Oslo' }
    const saved = await t.call('PATCH', '/api/event-calendar/workplaces', {
      token: chief.token,
      body: { ...place, halfHolidays: [half.slice(5), half.slice(5)] },
    })
    expect(saved.body.halfHolidays).toEqual([half.slice(5)])
    const days = async (more: object) =>
      (await l.ask(jan, 'POST', 'requests/preview', { typeId: 1, startDate: half, endDate: half, ...more })).body.days
    expect([await days({}), await days({ startPart: 'morning' }), await days({ startPart: 'afternoon' })]).toEqual([
      0.5, 0.5, 0,
    ])
    await works(jan, half, [480, 480, 480, 480, 480, 0, 0])
    const { body } = await t.api('GET', `/hours?from=${half}&to=${addDays(half, 4)}`, undefined, chief.token)
    expect(body.items.find(({ userId }: { userId: number }) => userId === jan.id)).toMatchObject({ normHours: 36 })
  })
})

describe('half a day of leave in another zone, with a swap, and a closed month after it,', () => {
  it('ends the swap, keeps the rest of the shift, and cannot be cancelled once the month is closed', async () => {
    const [pia, quin] = [await worker(), await worker()]
    await t.call('PATCH', '/api/event-calendar/workplaces', {
      token: chief.token,
      body: { departmentId: t.departmentId, country: 'NO', region: null, timeZone: 'America/New_York' },
    })
    const day = monday(13)
    const { body: shift } = await t.api(
      'POST',
      '',
      { userId: pia.id, date: day, shiftTypeId: t.types.early },
      chief.token,
    )
    const { body: swap } = await t.api(
      'POST',
      '/swaps',
      { shiftId: shift.id, userId: quin.id, otherShiftId: null },
      pia.token,
    )
    const { body: leave } = await l.take(pia, day, day, { startPart: 'afternoon' })
    await l.review(approver, leave.id)
    const mine = () =>
      rows<{ start: number; end: number; zone: string }>(
        t.app.db,
        sql`select start_minute as start, end_minute as "end", time_zone as zone from shifts
          where user_id = ${pia.id} and date = ${day}::date and deleted_at is null`,
      )
    expect(await mine()).toEqual([{ start: 360, end: 720, zone: 'America/New_York' }])
    const swaps = (await t.api('GET', '/swaps', undefined, pia.token)).body.items
    expect(swaps.find(({ id }: { id: number }) => id === swap.id)).toMatchObject({ status: 'void' })
    await t.app.db.execute(sql`insert into shift_months (month, closed_by) values (${`${day.slice(0, 7)}-01`}, 'test')`)
    const cancelled = await l.ask(pia, 'POST', 'cancellations', { requestId: leave.id })
    // a holiday on that day changes nothing of a closed month
    const rule = { name: 'Too late', country: null, month: Number(day.slice(5, 7)), day: Number(day.slice(8)) }
    expect((await national('POST', '/leaves', rule)).body.total).toBe(0)
    await t.app.db.execute(sql`delete from shift_months`)
    expect([cancelled.status, (await mine()).length]).toEqual([422, 1])
  })
})

describe('another department', () => {
  const moved = async (who: Person, departmentId: number) => {
    const { body } = await t.call('GET', `/api/auth/users/${who.id}`, { token: chief.token })
    const change = { departmentId, version: body.version }
    return (await t.call('PATCH', `/api/auth/users/${who.id}`, { token: chief.token, body: change })).status
  }
  it('charges leaves anew that have not begun, by its weekend and holidays, whichever way people are moved', async () => {
    const away = await l.department('Where Thursday and Friday are free')
    const place = { departmentId: away, country: null, region: null, timeZone: 'Asia/Riyadh', weekend: [4, 5] }
    await t.call('PATCH', '/api/event-calendar/workplaces', { token: chief.token, body: place })
    const liv = await worker()
    const { body: leave } = await l.take(liv, monday(15), addDays(monday(15), 4))
    await l.review(approver, leave.id)
    const days = async () => (await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days
    expect([await days(), await moved(liv, away), await days()]).toEqual([5, 200, 3])
    expect((await told(liv))[0]).toMatchObject({ title: 'Your leave takes 3 days instead of 5 days' })
    const back = { add: [liv.id] }
    await t.call('PATCH', `/api/auth/departments/${t.departmentId}`, { token: chief.token, body: back })
    expect(await days()).toBe(5)
    expect(await l.balance(liv, yearOf(monday(15)))).toMatchObject({ used: 5 })
  })
  it('tells a person once of several leaves', async () => {
    const eli = await worker()
    for (const week of [20, 21]) await l.take(eli, monday(week), addDays(monday(week), 1))
    const before = (await told(eli)).length
    await works(eli, monday(20), [0, 450, 450, 450, 450, 0, 0])
    const [notice] = await told(eli)
    expect((await told(eli)).length).toBe(before + 1)
    expect(notice?.title).toBe('2 of your leaves take other days')
    expect(notice?.body).toMatch(/: 1 day instead of 2 days; .*: 1 day instead of 2 days\. Working days from/)
  })
})

describe('the last day at work', () => {
  const profile = (who: Person, body: object) =>
    t.call('PATCH', `/api/employee-controller/profile/user/${who.id}`, { token: chief.token, body })
  it('refuses leave after it, charges only the days before it, and opens the shifts after it', async () => {
    const kit = await worker()
    const last = addDays(monday(9), 1)
    const { body: leave } = await l.take(kit, monday(9), addDays(monday(9), 4))
    await l.review(approver, leave.id)
    const later = addDays(monday(9), 15)
    const { body: shift } = await t.api(
      'POST',
      '',
      { userId: kit.id, date: later, shiftTypeId: t.types.early },
      chief.token,
    )
    const at = `/api/employee-controller/profile/user/${kit.id}/employment`
    const preview = await t.call('POST', at, { token: chief.token, body: { lastDay: last } })
    expect(preview.body).toEqual({ leaves: 1, shifts: 1 })
    expect((await profile(kit, { lastDay: last, opensShifts: true })).body.lastDay).toBe(last)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(2)
    expect(await l.take(kit, later)).toMatchObject({
      status: 422,
      body: { fields: { endDate: expect.stringContaining('After the last day at work') } },
    })
    const [open] = await rows<{ userId: number | null; status: string }>(
      t.app.db,
      sql`select user_id as "userId", status from shifts where shift_id = ${shift.id}`,
    )
    expect(open).toEqual({ userId: null, status: 'open' })
    const planned = await t.api('POST', '', { userId: kit.id, date: later, shiftTypeId: t.types.late }, chief.token)
    expect([planned.status, planned.body.message]).toEqual([409, expect.stringContaining('has left by then')])
    expect((await profile(kit, { hiredAt: addDays(last, 1) })).body.fields).toEqual({
      lastDay: 'The last day is before the first',
    })
  })
})

describe('balances of three years', () => {
  it('equal plain arithmetic: first day, part-time, carried days, expiry and the last day', async () => {
    const mia = await t.somebody(takes)
    await t.app.db.insert(profiles).values({ id: mia.id, hiredAt: '2030-03-15', lastDay: null })
    const turn = (day: string) => turnYears(t.app, new Date(`${day}T12:00:00Z`))
    // by hand: 25 days a year and 3 of 5 days from 2031-07-01 on; 5 days carried until 30 June
    await works(mia, '2031-07-01', three)
    await l.grant(mia, 2030)
    const first = 21 // 25 × 10 months of 12 = 20.83, up to half a day
    expect((await l.balance(mia, 2030)).balance).toBe(first)
    await l.review(approver, (await l.take(mia, '2030-06-03', '2030-06-14')).body.id) // 9: Pentecost Monday is free
    const left = first - 9
    await turn('2031-01-02')
    const second = 20 // 25 × (6 + 6 × 3/5) of 12 = 20
    const carried = Math.min(left, 5)
    expect(await l.balance(mia, 2030)).toMatchObject({ balance: 0, expired: left - carried })
    expect((await l.balance(mia, 2031)).balance).toBe(second + carried)
    await l.review(approver, (await l.take(mia, '2031-02-03', '2031-02-04')).body.id) // 2 of the carried days
    await turn('2031-07-01')
    expect((await l.balance(mia, 2031)).balance).toBe(second + carried - 2 - (carried - 2))
    await l.review(approver, (await l.take(mia, '2031-08-04', '2031-08-17')).body.id) // two weeks of three days
    expect((await l.balance(mia, 2031)).balance).toBe(second - 6)
    await t.call('PATCH', `/api/employee-controller/profile/user/${mia.id}`, {
      ...{ token: chief.token, body: { lastDay: '2032-04-20' } },
    })
    await turn('2032-01-02')
    const third = 5 // 25 × 4 months × 3/5 of 12 = 5
    expect((await l.balance(mia, 2032)).balance).toBe(third + Math.min(second - 6, 5))
    await turn('2033-01-02')
    expect((await l.balance(mia, 2033)).granted).toBe(0)
  })
})
