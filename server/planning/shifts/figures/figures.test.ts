import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { sqlState } from '../../../kit/db/failures.ts'
import { workplaces } from '../../calendar/tables.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { countHours } from './coverage.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(4)
})
afterAll(() => t.close())

const statistics = (query: string, token = t.admin) => t.call('GET', `/api/shift-statistics?${query}`, { token })

describe('statistics', () => {
  it('compare a month’s hours, night hours and weighted hours with its working days without holidays', async () => {
    const [kari] = t.people
    // May 2027 in Norway has 21 weekdays; Ascension (6th), and Pentecost Monday and Constitution Day (both 17th) are
    // free
    for (const [date, type] of [
      ['2027-05-03', t.types.early],
      ['2027-05-04', t.types.night],
      ['2027-05-31', t.types.night],
    ] as const)
      await t.api('POST', '', { userId: kari, date, shiftTypeId: type })
    await t.api('POST', '', { userId: kari, date: '2027-05-10', shiftTypeId: t.types.late, status: 'draft' })
    const { body } = await statistics(`userId=${kari}&date=2027-05-20`)
    expect(body.total).toBe(1)
    const [may] = body.items
    expect(may).toMatchObject({
      userId: kari,
      month: '2027-05-01',
      shifts: 3,
      hours: 24,
      nightHours: 15,
      normHours: 152,
    })
    expect(may.weightedHours).toBeCloseTo(7 + 8 / 7 + 18, 9)
    expect(may.difference).toBeCloseTo(may.weightedHours - 152, 9)
  })
  it('have a row per month and person, even without shifts, for at most two years', async () => {
    const { body } = await statistics(`from=2027-01-01&to=2027-12-31&departmentId=${t.departmentId}`)
    expect(body.total).toBe(48)
    expect((await statistics('from=2027-01-01&to=2037-01-01')).status).toBe(422)
    expect((await statistics('from=2027-02-01&to=2027-01-01')).status).toBe(422)
  })
  it('of others are visible only to planners; everybody sees their own', async () => {
    const me = await t.somebody(['calendar:shift:read'])
    expect((await statistics('date=2027-05-01', me.token)).body.items).toMatchObject([{ userId: me.id, shifts: 0 }])
    expect((await statistics(`userId=${t.people[0]}`, me.token)).status).toBe(404)
  })
  it('are available on their other paths', async () => {
    for (const path of ['/api/calendar/shift-statistics', '/api/calendar/shifts/shift-statistics'])
      expect((await t.call('GET', `${path}?date=2027-05-01`, { token: t.admin })).status).toBe(200)
  })
})

describe('hours over any days', () => {
  it('add up the shifts of these days, with the norm of only these days', async () => {
    const [, ole] = t.people
    for (const date of ['2027-08-15', '2027-08-16', '2027-08-31', '2027-09-15', '2027-09-16'])
      await t.api('POST', '', { userId: ole, date, shiftTypeId: t.types.late })
    const { body } = await t.api('GET', `/hours?from=2027-08-16&to=2027-09-15&departmentId=${t.departmentId}`)
    expect(body.total).toBe(4)
    const his = body.items.find(({ userId }: { userId: number }) => userId === ole)
    expect(his).toMatchObject({ shifts: 3, hours: 24, weightedHours: 24, normHours: 23 * 8, difference: 24 - 23 * 8 })
    const me = await t.somebody(['calendar:shift:read'])
    const own = await t.api('GET', '/hours?from=2027-08-16&to=2027-09-15', undefined, me.token)
    expect(own.body.items).toMatchObject([{ userId: me.id, shifts: 0 }])
    expect((await t.api('GET', '/hours?from=2027-09-16&to=2027-09-15')).status).toBe(422)
  })
})

describe('coverage', () => {
  it('counts the lowest staffing of each hour; night shifts count on the next day too', () => {
    const shifts = [
      { date: '2026-11-01', s: 1320, e: 1800 },
      { date: '2026-11-02', s: 360, e: 840 },
      { date: '2026-11-02', s: 390, e: 840 },
      { date: '2026-11-02', s: 1320, e: 1800 },
    ]
    const [day] = countHours(shifts, '2026-11-02', '2026-11-02')
    expect(day?.people.slice(0, 15)).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0])
    expect(day?.people.slice(21)).toEqual([0, 1, 1])
  })
  it('is compared with the department’s minimum per hour of the week, which is saved with its version', async () => {
    const minimum = Array.from({ length: 168 }, (_, n) => (n < 24 ? 2 : 1))
    const path = `/minimum?departmentId=${t.departmentId}`
    expect((await t.api('GET', path)).body).toMatchObject({ version: 1 })
    const saved = await t.api('PATCH', '/minimum', { departmentId: t.departmentId, minimum, version: 1 })
    expect(saved.body).toMatchObject({ version: 2, minimum, weekend: [6, 7] })
    const stale = await t.api('PATCH', '/minimum', { departmentId: t.departmentId, minimum, version: 1 })
    expect([stale.status, stale.body.current.version]).toEqual([409, 2])
    const { body } = await t.api('GET', `/coverage?from=2027-05-03&to=2027-05-04&departmentId=${t.departmentId}`)
    expect(body.items.map((day: { minimum: number[] }) => day.minimum[0])).toEqual([2, 1])
    expect(body.items[0].people.slice(5, 15)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 0])
  })
})

describe('a closed month', () => {
  it('is in the past', async () => {
    expect(await t.api('POST', '/months', { month: t.today.slice(0, 7) })).toMatchObject({ status: 422 })
  })
  it('keeps all of its shifts: they cannot be added, moved, changed or removed until it is reopened', async () => {
    const [kari, ole] = t.people
    const { body: shift } = await t.api('POST', '', { userId: kari, date: '2026-03-10', shiftTypeId: t.types.early })
    const { body: other } = await t.api('POST', '', { userId: ole, date: '2026-04-10', shiftTypeId: t.types.early })
    expect((await t.api('POST', '/months', { month: '2026-03' })).status).toBe(201)
    expect((await t.api('POST', '/months', { month: '2026-03-15' })).status).toBe(409)
    const tries = [
      t.api('POST', '', { userId: ole, date: '2026-03-31', shiftTypeId: t.types.early }),
      t.api('PATCH', `/${shift.id}`, { endTime: '13:00' }),
      t.api('PATCH', `/${shift.id}`, { date: '2026-04-01' }),
      t.api('PATCH', `/${other.id}`, { date: '2026-03-20' }),
      t.api('DELETE', '', { id: shift.id }),
      t.api('POST', '/plan', { cells: [{ userId: ole, date: '2026-03-02', shiftTypeId: t.types.early }] }),
    ]
    for (const { status, body } of await Promise.all(tries))
      expect([status, body.message]).toEqual([422, 'March 2026 is closed'])
    const behind = t.app.db.execute(sql`update shifts set name = 'x' where shift_id = ${shift.id}`)
    const error = await behind.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(sqlState(error)?.code).toBe('P0C01')
    expect((await t.api('DELETE', '/months', { month: '2026-03' })).status).toBe(204)
    expect((await t.api('DELETE', '', { id: shift.id })).status).toBe(204)
  })
})

describe('the settings', () => {
  it('define night hours for future shifts; past shifts keep their figures', async () => {
    const [, , eva] = t.people
    const worked = (await t.api('POST', '', { userId: eva, date: t.day(-5), shiftTypeId: t.types.night })).body
    const planned = (await t.api('POST', '', { userId: eva, date: t.day(5), shiftTypeId: t.types.night })).body
    const set = await t.api('PATCH', '/settings', {
      nightFrom: 22,
      nightTo: 6,
      nightNumerator: 3,
      nightDenominator: 2,
      version: 1,
    })
    expect(set.body).toMatchObject({ version: 2, nightFrom: 22, dayNormMinutes: 480 })
    const { items } = (await t.api('GET', `?userIds=${eva}`)).body
    const hours = (id: number) => items.find((shift: { id: number }) => shift.id === id)?.hours
    expect([hours(worked.id), hours(planned.id)]).toEqual([9, 12])
    expect((await t.api('PATCH', '/settings', { restMinutes: 600, version: 1 })).status).toBe(409)
    expect((await t.api('PATCH', '/settings', { nightTo: 22 })).body.fields).toHaveProperty('nightTo')
  })
})

describe('a roster', () => {
  it('contains a department’s people, their shifts with the night before, holidays and closed months', async () => {
    const { body } = await t.api('GET', `/roster?from=2027-05-05&to=2027-05-31&departmentId=${t.departmentId}`)
    expect(body.people).toHaveLength(4)
    expect(body.shifts.map(({ date }: { date: string }) => date)).toEqual(['2027-05-04', '2027-05-10', '2027-05-31'])
    expect(body.holidays.map(({ date }: { date: string }) => date)).toContain('2027-05-17')
  })
})

describe('departments in different zones', () => {
  it('have their own holidays, and everybody’s coverage is in the hours of the organisation', async () => {
    const { db } = t.app
    const [desk] = await db.insert(departments).values({ name: 'Sofia desk' }).returning()
    const departmentId = desk!.id
    await db.insert(workplaces).values({ departmentId, country: 'BG', timeZone: 'Europe/Sofia' })
    const mila = await t.somebody([])
    await db.update(users).set({ departmentId }).where(eq(users.id, mila.id))
    await t.api('POST', '', { userId: mila.id, date: '2027-09-06', shiftTypeId: t.types.night })
    const at = async (query: string) => {
      const { body } = await t.api('GET', `/coverage?from=2027-09-06&to=2027-09-07&${query}`)
      const hours = body.items.flatMap(({ people }: { people: number[] }) => people)
      return [body.timeZone, hours.indexOf(1), hours.lastIndexOf(1)]
    }
    expect(await at(`departmentId=${departmentId}`)).toEqual(['Europe/Sofia', 22, 29])
    expect(await at('')).toEqual(['Europe/Oslo', 21, 28])
    const { body } = await t.api('GET', '/roster?from=2027-09-01&to=2027-09-30')
    const place = body.places.find((one: { departmentId: number }) => one.departmentId === departmentId)
    expect(place.holidays.map(({ date }: { date: string }) => date)).toContain('2027-09-22') // Independence Day
    expect(body.holidays).toEqual([])
  })
  it('keep people on their roster who moved to another department and still have shifts there', async () => {
    const [, , , ida] = t.people
    await t.api('POST', '', { userId: ida, date: '2027-10-04', shiftTypeId: t.types.early })
    const [other] = await t.app.db.insert(departments).values({ name: 'Elsewhere' }).returning()
    await t.app.db.update(users).set({ departmentId: other!.id }).where(eq(users.id, ida!))
    const roster = async (from: string) =>
      (await t.api('GET', `/roster?from=${from}&to=${from}&departmentId=${t.departmentId}`)).body.people.map(
        ({ id }: { id: number }) => id,
      )
    expect(await roster('2027-10-04')).toContain(ida)
    expect(await roster('2027-10-11')).not.toContain(ida)
  })
})
