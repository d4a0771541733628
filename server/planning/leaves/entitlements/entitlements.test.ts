import type { LeaveEntry } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profiles } from '../../../access/profiles/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { comingDay } from '../../../test/comingDays.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { leavesOf, type Person, takes } from '../test/leaves.ts'
import { turnYears } from './yearEnd.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let chief: Person
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  chief = await t.somebody('admin', 'chief')
})
afterAll(() => t.close())

const worker = async () => l.joined(await t.somebody(takes))
const hired = async ({ id }: Person, hiredAt: string) => void (await t.app.db.insert(profiles).values({ id, hiredAt }))
const change = (who: Person, body: object) => l.ask(chief, 'PATCH', `employee/${who.id}`, body)

describe('an entitlement', () => {
  it('in the first year covers the remaining months, rounded up to half a day', async () => {
    const may = await t.somebody(takes)
    await hired(may, '2027-05-20')
    await l.grant(may, 2026, 2027)
    expect((await l.balance(may, 2026)).balance).toBe(0)
    expect((await l.balance(may, 2027)).balance).toBe(17) // 25 × 8/12 = 16.67
    await l.grant(may, 2028)
    expect((await l.balance(may, 2028)).balance).toBe(25)
    expect((await l.take(may, '2026-12-01')).status).toBe(422)
  })
  it('can differ from its type’s; granted days are adjusted', async () => {
    const gro = await worker()
    const year = yearOf(comingDay(0, 1))
    await l.grant(gro, year, year + 1)
    await l.take(gro, comingDay(0, 1))
    const { version } = (await l.ask(gro, 'GET', `employee/${gro.id}`)).body
    const saved = await change(gro, { entitlements: [{ typeId: 1, yearlyDays: 30 }], version, year })
    expect(saved.status).toBe(200)
    const entries = (saved.body.ledger as LeaveEntry[]).filter(({ typeId }) => typeId === 1)
    expect(entries.map(({ kind, days, note }) => [kind, days, note])).toEqual([
      ['adjust', 5, 'An entitlement of one’s own: the year brings 30 days instead of 25 days'],
      ['reserve', -1, null],
      ['grant', 25, null],
    ])
    expect(await l.balance(gro, year)).toMatchObject({ balance: 29, entitlement: 30 })
    expect((await l.balance(gro, year + 1)).balance).toBe(30)
    expect(await change(gro, { entitlements: [{ typeId: 1, yearlyDays: 20 }], version })).toMatchObject({
      status: 409,
      body: { current: { version: saved.body.version } },
    })
    await change(gro, { entitlements: [{ typeId: 1, yearlyDays: null }] })
    expect(await l.balance(gro, year)).toMatchObject({ balance: 24, entitlement: null })
  })
  it('is corrected with a note, and not below zero', async () => {
    const jon = await worker()
    const note = 'Worked on Easter Sunday'
    await change(jon, { adjustments: [{ typeId: 6, year: 2027, days: 1.5, note }] })
    expect((await l.balance(jon, 2027, 'compensatory')).balance).toBe(1.5)
    expect((await l.take(jon, '2027-02-01', '2027-02-02', { typeId: 6, endPart: 'morning' })).body.days).toBe(1.5)
    expect((await l.take(jon, '2027-02-03', '2027-02-03', { typeId: 6 })).status).toBe(422)
    expect(await change(jon, { adjustments: [{ typeId: 6, year: 2027, days: -0.5, note }] })).toMatchObject({
      status: 422,
      body: { fields: { 'adjustments.0.days': '0 days left in 2027' } },
    })
    for (const days of [0, 0.25, 1e9])
      expect((await change(jon, { adjustments: [{ typeId: 6, year: 2027, days, note }] })).status).toBe(400)
    expect((await change(jon, { entitlements: [{ typeId: 3, yearlyDays: 3 }] })).body.message).toBe(
      'Sick leave has no balance',
    )
  })
  it('is visible to the person and to people with the permission', async () => {
    const una = await worker()
    expect((await l.ask(una, 'GET', `employee/${una.id}?year=2027`)).body).toMatchObject({ userId: una.id, year: 2027 })
    expect((await l.ask(una, 'GET', `employee/${chief.id}`)).status).toBe(403)
    expect((await l.ask(una, 'GET', 'employee')).status).toBe(403)
    const list = (await l.ask(chief, 'GET', 'employee?search=chief')).body
    expect(list).toMatchObject({ total: 1, items: [{ userId: chief.id }] })
    expect(list.items[0].balances).toHaveLength(8)
    const byIds = await l.ask(chief, 'POST', 'employee/ids', { ids: [una.id, 99_999, chief.id], year: 2027 })
    expect(byIds.body.items.map(({ userId }: { userId: number }) => userId)).toEqual([una.id, chief.id])
  })
})

describe('the end of the year', () => {
  const turn = (day: string) => turnYears(t.app, new Date(`${day}T12:00:00Z`))

  it('carries days over up to the limit of the type, expires the rest, and is idempotent', async () => {
    const kai = await worker()
    await l.grant(kai, 2030)
    await l.review(chief, (await l.take(kai, '2030-02-04', '2030-02-15')).body.id) // 10 of 25 days
    await turn('2031-01-02')
    await turn('2031-01-03')
    expect(await l.balance(kai, 2030)).toMatchObject({ balance: 0, expired: 10, carried: -5 })
    expect(await l.balance(kai, 2031)).toMatchObject({ balance: 30, carried: 5, granted: 25 })
  })
  it('also handles days that a later rejection returns', async () => {
    const leo = await worker()
    await l.grant(leo, 2032)
    const { body } = await l.take(leo, '2032-01-05', '2032-02-03') // 22 of 25 days
    await turn('2033-01-02')
    expect(await l.balance(leo, 2033)).toMatchObject({ carried: 3, balance: 28 })
    await l.review(chief, body.id, false)
    await turn('2033-01-03')
    expect(await l.balance(leo, 2032)).toMatchObject({ balance: 0, carried: -5, expired: 20 })
    expect(await l.balance(leo, 2033)).toMatchObject({ carried: 5, balance: 30 })
  })
  it('expires carried-over days on their date, minus the days used before', async () => {
    const max = await worker()
    const none = await worker()
    for (const who of [max, none]) await l.grant(who, 2034)
    for (const who of [max, none]) await l.review(chief, (await l.take(who, '2034-02-01')).body.id)
    await turn('2035-01-02')
    await l.review(chief, (await l.take(max, '2035-03-01', '2035-03-02')).body.id)
    await l.take(max, '2035-09-03', '2035-09-07')
    await turn('2035-06-30')
    expect((await l.balance(max, 2035)).balance).toBe(23)
    await turn('2035-07-01')
    await turn('2035-07-02')
    expect(await l.balance(max, 2035)).toMatchObject({ balance: 20, expired: 3, carried: 5 })
    expect(await l.balance(none, 2035)).toMatchObject({ balance: 25, expired: 5 })
  })
  it('leaves a closed year without a balance', async () => {
    const left = await t.app.db.execute(sql`select user_id from leave_ledger where year in (2030, 2032, 2034)
      group by user_id, leave_type_id, year having sum(halves) <> 0`)
    expect((left as unknown as { rows: unknown[] }).rows).toEqual([])
  })
})

describe('a changed rule', () => {
  const turn = () => turnYears(t.app)
  const paid = async () => (await l.ask(chief, 'GET', 'types')).body.items[0]
  const yearlyDays = async (yearlyDays: number) =>
    l.ask(chief, 'PATCH', 'types/1', { yearlyDays, version: (await paid()).version })
  const firstDay = async ({ id }: Person, hiredAt: string) => {
    const { version } = (await t.call('GET', `/api/employee-controller/profile/user/${id}`, { token: chief.token }))
      .body
    const saved = await t.call('PATCH', `/api/employee-controller/profile/user/${id}`, {
      token: chief.token,
      body: { hiredAt, version },
    })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  }
  let year = 0
  let lastYear = 0
  beforeAll(async () => {
    year = yearOf(await todayIn(t.app.db, new Date()))
    lastYear = year - 1
  })

  it('carries days over for people with and without leaves alike', async () => {
    const [busy, idle] = [await t.somebody(takes), await t.somebody(takes)]
    for (const who of [busy, idle]) await firstDay(who, `${lastYear}-03-15`)
    const monday = new Date(Date.UTC(lastYear, 8, 8 - ((new Date(Date.UTC(lastYear, 8, 1)).getUTCDay() + 6) % 7)))
    const taken = await l.take(busy, monday.toISOString().slice(0, 10))
    expect(taken.status, JSON.stringify(taken.body)).toBe(201)
    for (const day of ['01-15', '01-16']) await turnYears(t.app, new Date(`${year}-${day}T12:00:00Z`))
    for (const who of [busy, idle]) {
      expect(await l.balance(who, year)).toMatchObject({ granted: 25, carried: 5, balance: 30 })
      const expired = who === busy ? 15 : 16 // of 21: 25 × 10/12 = 20.83
      expect(await l.balance(who, lastYear)).toMatchObject({ granted: 21, carried: -5, expired, balance: 0 })
    }
  })
  it('of a type adjusts the running year of everybody, and no past year', async () => {
    const [granted, fresh, own] = [await worker(), await worker(), await worker()]
    await l.grant(granted!, lastYear, year)
    await change(own!, { entitlements: [{ typeId: 1, yearlyDays: 30 }] })
    const before = await Promise.all([granted!, fresh!, own!].map((who) => l.balance(who, lastYear)))
    expect((await yearlyDays(28)).status).toBe(200)
    expect(await Promise.all([granted!, fresh!, own!].map((who) => l.balance(who, lastYear)))).toEqual(
      before.map((one) => ({
        ...one,
        type: { ...one.type, ...{ yearlyDays: 28 }, version: expect.any(Number), updatedAt: expect.any(String) },
      })),
    )
    for (const who of [granted!, fresh!]) expect((await l.balance(who, year)).balance).toBe(28)
    expect((await l.balance(own!, year)).balance).toBe(30)
    const { ledger } = (await l.ask(fresh!, 'GET', `employee/${fresh!.id}?year=${year}`)).body
    expect((ledger as LeaveEntry[]).find(({ kind }) => kind === 'adjust')).toMatchObject({
      days: 3,
      note: 'The days of Paid leave were changed for everybody: the year brings 28 days instead of 25 days',
    })
    await yearlyDays(25)
    for (const who of [granted!, fresh!]) expect((await l.balance(who, year)).balance).toBe(25)
  })
  it('that gives a type a balance begins with the running year', async () => {
    const ana = await worker()
    const typeId = (await l.ask(chief, 'GET', 'types')).body.items.find(
      (one: { code: string }) => one.code === 'sick',
    ).id
    expect(
      (await l.ask(chief, 'PATCH', `types/${typeId}`, { deductsBalance: true, yearlyDays: 4, carryForwardMax: 4 }))
        .status,
    ).toBe(200)
    await turn()
    expect(await l.balance(ana!, year, 'sick')).toMatchObject({ carried: 0, balance: 4 })
    expect((await l.balance(ana!, lastYear, 'sick')).balance).toBe(0)
  })
  it('of the first day at work adjusts the running year; a past year stays', async () => {
    const ida = await t.somebody(takes)
    await firstDay(ida, `${year}-07-01`)
    await l.grant(ida, year)
    // a Saturday has no day to take, which is the lesser reason
    const saturday = `${year}-06-${29 - new Date(`${year}-06-29`).getUTCDay() - 1}`
    for (const [startDate, endDate] of [
      [`${year}-06-30`, `${year}-07-02`],
      [saturday, saturday],
    ]) {
      const early = await l.ask(ida, 'POST', 'requests/preview', { typeId: 2, startDate, endDate })
      expect(early.body.problems.startDate).toBe(`Before the first day at work, 1 Jul ${year}`)
    }
    expect((await l.balance(ida, year)).balance).toBe(12.5)
    await firstDay(ida, `${lastYear}-07-01`)
    expect(await l.balance(ida, year)).toMatchObject({ granted: 12.5, adjusted: 12.5, carried: 0, balance: 25 })
    expect((await l.balance(ida, lastYear)).balance).toBe(0)
    await turn()
    expect((await l.balance(ida, year)).balance).toBe(25)
  })
})

describe('one’s own', () => {
  it('leave days and place among approvers are given only by others', async () => {
    const weak = await t.somebody([
      'calendar:employee:update',
      'calendar:leave:read',
      'calendar:default-approvers:create',
    ])
    const other = await worker()
    const denied = { status: 403, body: { code: 'denied' } }
    const types = (await l.ask(weak, 'GET', 'types')).body.items
    const entitlements = [{ typeId: types.find((type: { code: string }) => type.code === 'paid').id, yearlyDays: 99 }]
    expect(await l.ask(weak, 'PATCH', `employee/${weak.id}`, { entitlements })).toMatchObject(denied)
    expect((await l.ask(weak, 'PATCH', `employee/${other.id}`, { entitlements })).status).toBe(200)
    const departmentId = await l.department('Packers', other)
    const save = (approvers: object[]) => l.ask(weak, 'POST', 'approvers', { departmentId, approvers })
    expect(await save([{ userId: weak.id }])).toMatchObject(denied)
    expect(await save([{ userId: other.id, substituteId: weak.id }])).toMatchObject(denied)
    expect((await save([{ userId: other.id }])).status).toBe(201)
  })
})

describe('approvers', () => {
  it('are one list per department and one for all others, saved completely and with a version check', async () => {
    const [a, b] = [await worker(), await worker()]
    const departmentId = await l.department('Clerks', a!)
    const of = async () => (await l.ask(chief, 'GET', `approvers/${departmentId}`)).body
    const save = (body: object) => l.ask(chief, 'POST', 'approvers', { departmentId, ...body })
    await l.ask(chief, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: chief.id }] })
    expect(await of()).toMatchObject({
      inherited: true,
      version: 0,
      approvers: [{ userId: chief.id, mayReview: true }],
    })
    const saved = await save({ approvers: [{ userId: a!.id, substituteId: b!.id }, { userId: chief.id }], version: 0 })
    expect(saved).toMatchObject({
      status: 201,
      body: {
        inherited: false,
        approvers: [{ userId: a!.id, substituteId: b!.id, mayReview: false, away: false }, { userId: chief.id }],
      },
    })
    expect(await save({ approvers: [], version: 0 })).toMatchObject({
      status: 409,
      body: { current: { version: saved.body.version } },
    })
    for (const approvers of [
      [{ userId: a!.id, substituteId: a!.id }],
      [{ userId: a!.id }, { userId: a!.id }],
      [{ userId: 99_999 }],
    ])
      expect(await save({ approvers })).toMatchObject({
        status: 422,
        body: { fields: { approvers: expect.any(String) } },
      })
    expect((await save({ approvers: [] })).body).toMatchObject({ inherited: true })
    expect((await l.ask(chief, 'POST', 'approvers', { departmentId: 99_999, approvers: [] })).status).toBe(422)
    expect((await l.ask(chief, 'GET', 'approvers')).body.items[0]).toMatchObject({
      departmentId: null,
      departmentName: null,
    })
  })
  it('pass to the heir of a deleted account', async () => {
    const [old, heir] = [await worker(), await worker()]
    const departmentId = await l.department('Heirs', old!)
    await l.ask(chief, 'POST', 'approvers', { departmentId, approvers: [{ userId: old!.id, substituteId: heir!.id }] })
    const gone = await t.call('DELETE', '/api/auth/users', {
      token: chief.token,
      body: { id: old!.id, heir: heir!.id },
    })
    expect(gone.status, JSON.stringify(gone.body)).toBe(204)
    expect((await l.ask(chief, 'GET', `approvers/${departmentId}`)).body.approvers).toMatchObject([
      { userId: heir!.id, substituteId: null },
    ])
  })
})

describe('rules of a type', () => {
  it('apply from now on, and are saved with a version check', async () => {
    const ask = (body: object) => l.ask(chief, 'PATCH', 'types/7', body)
    const { body: type } = await ask({ yearlyDays: 5, carryUntil: '03-31' })
    expect(type).toMatchObject({ code: 'study', yearlyDays: 5, carryUntil: '03-31' })
    expect(await ask({ yearlyDays: 6, version: type.version - 1 })).toMatchObject({
      status: 409,
      body: { current: { yearlyDays: 5 } },
    })
    for (const body of [{ carryUntil: '02-30' }, { carryUntil: '2-3' }, { yearlyDays: 0.3 }, { yearlyDays: -1 }])
      expect((await ask(body)).status).toBe(400)
    expect((await l.balance(await worker(), 2027, 'study')).balance).toBe(5)
  })
})
