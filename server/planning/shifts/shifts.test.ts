import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../access/users/tables.ts'
import { sqlState } from '../../kit/db/failures.ts'
import { addDays } from '../calendar/days.ts'
import { shifts } from './tables.ts'
import { openRoster, type Roster } from './test/shifts.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(8)
})
afterAll(() => t.close())

/** A day that no other test plans on, with free ones around it. */
const freeDay = () => t.day(t.freeDay())
const create = (userId: number | undefined, date: string, shiftTypeId: number, more: object = {}, token?: string) =>
  t.api('POST', '', { userId, date, shiftTypeId, ...more }, token)

describe('a shift', () => {
  it('is created with 201, and the answer has its instants and hours', async () => {
    const [kari] = t.people
    const { status, body } = await create(kari, '2027-01-11', t.types.night, { breakMinutes: 30 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      userId: kari,
      date: '2027-01-11',
      name: 'Night',
      startTime: '22:00',
      endTime: '06:00',
      startsAt: '2027-01-11T21:00:00.000Z',
      endsAt: '2027-01-12T05:00:00.000Z',
      timeZone: 'Europe/Oslo',
      nightHours: 7,
      clockChange: 0,
      status: 'published',
      version: 1,
    })
    expect(body.hours).toBeCloseTo(8.5, 9)
  })
  it('keeps its nominal hours across a clock change, and shows the difference', async () => {
    const [kari] = t.people
    const spring = await create(kari, '2027-03-27', t.types.night)
    expect(spring.body).toMatchObject({ hours: 9, clockChange: -60, endsAt: '2027-03-28T04:00:00.000Z' })
    const autumn = await create(kari, '2027-10-30', t.types.night)
    expect(autumn.body).toMatchObject({ hours: 9, clockChange: 60, endsAt: '2027-10-31T05:00:00.000Z' })
  })
  it('on 29 February is valid in leap years; 30 February never is', async () => {
    const [kari] = t.people
    expect((await create(kari, '2028-02-29', t.types.early)).status).toBe(201)
    const { status, body } = await create(kari, '2028-02-30', t.types.early)
    expect(status).toBe(400)
    expect(Object.keys(body.fields)).toEqual(['date'])
  })
  it('refuses a break as long as itself', async () => {
    const { status, body } = await create(t.people[0], freeDay(), t.types.early, { breakMinutes: 480 })
    expect([status, body.fields]).toEqual([422, { breakMinutes: 'The break is as long as the shift' }])
  })
  it('must not overlap another shift of its person across midnight; the error shows the other', async () => {
    const [, ole] = t.people
    const date = freeDay()
    const night = await create(ole, date, t.types.night)
    const { status, body } = await create(ole, addDays(date, 1), t.types.early, {
      startTime: '02:00',
      endTime: '08:00',
    })
    expect(status).toBe(409)
    expect(body.message).toMatch(/Worker 001 has Night 22:00–06:00/)
    expect(body.current.conflicts).toMatchObject([{ kind: 'overlap', shiftId: night.body.id, version: 1 }])
    // a shift that begins when another ends does not overlap
    expect((await create(ole, addDays(date, 1), t.types.early)).status).toBe(201)
  })
  it('that overlaps another shift is refused by a constraint of the database', async () => {
    const [, , eva] = t.people
    const { body } = await create(eva, freeDay(), t.types.night)
    const [row] = await t.app.db.select().from(shifts).where(eq(shifts.id, body.id))
    const { id: _, ...copy } = row!
    const again = t.app.db
      .insert(shifts)
      .values({ ...copy, startsAt: copy.endsAt.replace(/T\d\d/, 'T00'), endsAt: copy.endsAt })
    const error = await again.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(sqlState(error)?.code).toBe('23P01')
  })
  it('is created once if two overlapping ones are sent at the same moment; the other call gets the conflict', async () => {
    const [, , , ida] = t.people
    const date = freeDay()
    const both = await Promise.all([create(ida, date, t.types.early), create(ida, date, t.types.early)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await t.api('GET', `/user/${ida}?date=${date}`)).body.total).toBe(1)
  })
  it('is refused for a former employee', async () => {
    const { id } = await t.somebody([])
    await t.app.db.update(users).set({ deletedAt: sql`now()` }).where(eq(users.id, id))
    expect((await create(id, freeDay(), t.types.early)).status).toBe(404)
  })
  it('can be moved, resized and reassigned; a change with an old version answers 409 with the stored shift', async () => {
    const [kari, ole] = t.people
    const date = freeDay()
    const { body } = await create(kari, date, t.types.early)
    const moved = await t.api('PATCH', `/${body.id}`, {
      version: 1,
      date: addDays(date, 1),
      userId: ole,
      endTime: '15:30',
    })
    expect(moved).toMatchObject({ status: 200, body: { version: 2, userId: ole, endTime: '15:30', edited: true } })
    expect(moved.body.hours).toBeCloseTo(9 + 1 / 7 + 0.5, 9)
    expect(await t.api('PATCH', `/${body.id}`, { version: 1, date })).toMatchObject({
      status: 409,
      body: { current: { version: 2, userId: ole } },
    })
  })
  it('keeps its own times on another day, and takes the times of another type', async () => {
    const date = freeDay()
    const { body } = await create(t.people[4], date, t.types.early, { startTime: '07:30' })
    const moved = await t.api('PATCH', `/${body.id}`, { date: addDays(date, 1) })
    expect(moved.body).toMatchObject({ startTime: '07:30', endTime: '14:00' })
    const late = await t.api('PATCH', `/${body.id}`, { shiftTypeId: t.types.late })
    expect(late.body).toMatchObject({ name: 'Late', startTime: '14:00', endTime: '22:00' })
  })
  it('is removed by person and day', async () => {
    const [kari] = t.people
    const date = freeDay()
    await create(kari, date, t.types.early)
    expect((await t.api('DELETE', '', { userId: kari, date })).status).toBe(204)
    expect((await t.api('GET', `/user/${kari}?date=${date}`)).body).toEqual({ items: [], total: 0 })
    expect((await t.api('DELETE', '', { userId: kari, date })).status).toBe(404)
  })
  it('is found by person and day, with status 200', async () => {
    const [kari, ole] = t.people
    const date = freeDay()
    await create(ole, date, t.types.late)
    const { status, body } = await t.api('POST', '/bulk', { ids: [kari, ole], date })
    expect([status, body.total, body.items[0].userId]).toEqual([200, 1, ole])
    expect((await t.api('POST', '/bulk', { ids: [], date })).body).toEqual({ items: [], total: 0 })
  })
})

describe('a shift type', () => {
  it('has a unique name, and a break shorter than itself', async () => {
    expect(
      (await t.api('POST', '/type', { name: 'EARLY', startTime: '06:00', endTime: '14:00' })).body.fields,
    ).toHaveProperty('name')
    const { status, body } = await t.api('POST', '/type', {
      name: 'Nap',
      startTime: '12:00',
      endTime: '13:00',
      breakMinutes: 60,
    })
    expect([status, body.fields]).toEqual([422, { breakMinutes: 'The break is as long as the shift' }])
  })
  it('changes its future shifts, but not past ones', async () => {
    const { body: type } = await t.api('POST', '/type', { name: 'Changing', startTime: '08:00', endTime: '16:00' })
    const [, , , , , per] = t.people
    const worked = (await create(per, t.day(-3), type.id)).body
    const planned = (await create(per, t.day(3), type.id)).body
    const own = (await create(per, t.day(5), type.id, { endTime: '12:00' })).body
    const changed = await t.api('PATCH', `/type/${type.id}`, { startTime: '09:00', name: 'Changed', version: 1 })
    expect(changed.body).toMatchObject({ version: 2, shifts: 2 })
    const read = async (id: number) =>
      (await t.api('GET', `?userIds=${per}&itemsPerPage=200`)).body.items.find(
        (shift: { id: number }) => shift.id === id,
      )
    expect(await read(worked.id)).toMatchObject({
      name: 'Changing',
      startTime: '08:00',
      startsAt: worked.startsAt,
      hours: 8,
    })
    expect(await read(planned.id)).toMatchObject({ name: 'Changed', startTime: '09:00', hours: 7, version: 2 })
    expect(await read(own.id)).toMatchObject({ name: 'Changed', startTime: '08:00', endTime: '12:00' })
  })
  it('in use cannot be deleted', async () => {
    expect(await t.api('DELETE', '/type', { id: t.types.early })).toMatchObject({ status: 422 })
    const { body } = await t.api('POST', '/type', { name: 'Unused', startTime: '06:00', endTime: '14:00' })
    expect((await t.api('DELETE', '/type', { id: body.id, version: 1 })).status).toBe(204)
    expect((await t.api('GET', `/type/${body.id}`)).status).toBe(404)
  })
  it('that is switched off cannot be planned', async () => {
    const { body } = await t.api('POST', '/type', {
      name: 'Off',
      startTime: '06:00',
      endTime: '14:00',
      isActive: false,
    })
    expect((await create(t.people[0], freeDay(), body.id)).body.fields).toHaveProperty('shiftTypeId')
  })
})

describe('visibility', () => {
  it('planners see drafts; others see published shifts of their department; everybody sees their own', async () => {
    const date = freeDay()
    const reader = await t.somebody(['calendar:shift:read'])
    const plain = await t.somebody([])
    await t.app.db.update(users).set({ departmentId: t.departmentId }).where(eq(users.id, reader.id))
    const planner = await t.somebody(['calendar:shift:read', 'calendar:shift:create'])
    const [kari, ole] = t.people
    await create(kari, date, t.types.early, { status: 'draft' })
    await create(ole, date, t.types.early)
    await create(plain.id, date, t.types.late)
    const { token } = await signedInAgain(reader.id)
    const seen = async (as: string) =>
      (await t.api('GET', `?date=${date}`, undefined, as)).body.items.map(({ userId }: { userId: number }) => userId)
    expect((await seen(planner.token)).sort()).toEqual([kari, ole, plain.id].sort())
    expect(await seen(token)).toEqual([ole])
    expect((await t.api('GET', `?date=${date}`, undefined, plain.token)).status).toBe(403)
    expect((await t.api('GET', `/user/${plain.id}?date=${date}`, undefined, plain.token)).body.total).toBe(1)
    expect((await t.api('GET', `/user/${ole}?date=${date}`, undefined, plain.token)).status).toBe(403)
    for (const userId of [ole, reader.id]) await t.api('POST', '/note', { userId, date, content: 'Has the keys' })
    const roster = (await t.api('GET', `/roster?from=${date}&to=${date}`, undefined, token)).body
    expect(roster.notes.map(({ userId }: { userId: number }) => userId)).toEqual([reader.id])
  })
  it('the list of one’s next shifts has only published shifts', async () => {
    const me = await t.somebody([])
    await create(me.id, t.day(2), t.types.early)
    await create(me.id, t.day(1), t.types.early, { status: 'draft' })
    await create(me.id, t.day(-2), t.types.early)
    const { body } = await t.api('GET', '/next', undefined, me.token)
    expect(body.items.map(({ date }: { date: string }) => date)).toEqual([t.day(2)])
  })
  it('an open shift is taken once, by a member of its department', async () => {
    const date = freeDay()
    const { body } = await t.api('POST', '', {
      userId: null,
      date,
      shiftTypeId: t.types.late,
      departmentId: t.departmentId,
    })
    expect(body).toMatchObject({ status: 'open', userId: null, timeZone: 'Europe/Oslo' })
    const asDraft = await t.api('PATCH', `/${body.id}`, { status: 'draft' })
    expect(asDraft).toMatchObject({ status: 422, body: { fields: { status: 'Choose a person first' } } })
    const far = await t.somebody([])
    expect((await t.api('POST', `/${body.id}/take`, {}, far.token)).status).toBe(404)
    const tokens = await Promise.all(t.people.slice(6, 8).map(async (id) => (await signedInAgain(id)).token))
    const taken = await Promise.all(tokens.map((token) => t.api('POST', `/${body.id}/take`, { version: 1 }, token)))
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(taken.find(({ status }) => status === 200)?.body).toMatchObject({ status: 'published', version: 2 })
  })
})

describe('a deleted account', () => {
  it('leaves its future shifts open, and keeps its name on past ones', async () => {
    const gone = await t.somebody([])
    const heir = await t.somebody([])
    const worked = (await create(gone.id, t.day(-4), t.types.early)).body
    const ahead = (await create(gone.id, t.day(4), t.types.early)).body
    const { status } = await t.call('DELETE', '/api/auth/users', {
      token: t.admin,
      body: { id: gone.id, heir: heir.id },
    })
    expect(status).toBe(204)
    const { items } = (await t.api('GET', '?itemsPerPage=200')).body
    const read = (id: number) => items.find((shift: { id: number }) => shift.id === id)
    expect(read(ahead.id)).toMatchObject({ status: 'open', userId: null })
    expect(read(worked.id)).toMatchObject({ status: 'published', userId: gone.id })
  })
})

const signedInAgain = async (id: number) => ({
  token: await t.app.sessions.open(t.app.db, id, { ip: null, userAgent: null }),
})
