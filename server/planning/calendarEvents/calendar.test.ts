import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { departments } from '../../access/departments/tables.ts'
import { profiles } from '../../access/profiles/tables.ts'
import { users } from '../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { comingDay } from '../../test/comingDays.ts'
import { addDays, weekdayOf } from '../calendar/days.ts'
import { calendarOf, calendarsOfPeople } from '../calendar/holidays.ts'
import { nationalEvents } from '../calendar/tables.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
let t: TestApp
let admin: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
  await call('PATCH', '/workplaces', { departmentId: null, country: 'NO', region: null, timeZone: 'Europe/Oslo' })
})
afterAll(() => t.close())

const call = (method: Method, path: string, body?: unknown) =>
  t.call(method, `/api/event-calendar${path}`, { token: admin.token, ...(body !== undefined && { body }) })
const entries = async (path: string) => (await call('GET', `/event/${path}`)).body.items
const daysOf = async (path: string) => (await entries(path)).map(({ from }: { from: string }) => from)

describe('a view of the calendar', () => {
  it('shows all kinds of entries of its month, quarter or year together', async () => {
    await call('POST', '/event', {
      title: 'Fair',
      startsAt: '2027-05-31T22:30',
      endsAt: '2027-06-01T01:00',
      timeZone: 'Europe/Oslo',
    })
    await call('POST', '/repeatable-event', {
      title: 'Sync',
      rrule: 'FREQ=MONTHLY',
      startLocal: '2027-04-14T09:00',
      durationMin: 30,
      timeZone: 'Europe/Oslo',
    })
    const may = await entries('month/2027-05-12')
    expect(may.map(({ kind, title }: { kind: string; title: string }) => `${kind} ${title}`)).toEqual(
      expect.arrayContaining(['national Constitution Day', 'repeatable Sync', 'event Fair']),
    )
    expect(await daysOf('month/2027-06-30?kinds=event')).toEqual(['2027-05-31'])
    expect(await daysOf('month/2027-06-30?kinds=event&zone=UTC')).toEqual([])
    expect(await daysOf('quarter/2027-05-12?kinds=repeatable')).toEqual(['2027-04-14', '2027-05-14', '2027-06-14'])
    expect(await daysOf('year/2027-05-12?kinds=repeatable')).toHaveLength(9)
    expect(await daysOf('range/2027-05-14/2027-06-13?kinds=repeatable')).toEqual(['2027-05-14'])
  })
  it('shows the caller’s own answer to each event', async () => {
    const day = comingDay(8, 3)
    const times = { startsAt: `${day}T09:00`, endsAt: `${day}T10:00` }
    for (const [title, rsvp] of [
      ['First', 'accepted'],
      ['Second', 'declined'],
      ['Third', undefined],
    ]) {
      const { id } = (await call('POST', '/event', { ...times, title })).body
      if (rsvp) await call('POST', `/event/${id}/singup`, { rsvp })
    }
    const said = await entries(`month/${day}?kinds=event`)
    expect(said.map(({ title, myRsvp }: { title: string; myRsvp: string | null }) => [title, myRsvp])).toEqual([
      ['First', 'accepted'],
      ['Second', 'declined'],
      ['Third', null],
    ])
  })
  it('shows the weekend of the caller’s workplace', async () => {
    const place = { departmentId: null, country: 'NO', region: null, timeZone: 'Europe/Oslo' }
    await call('PATCH', '/workplaces', { ...place, weekend: [5, 6] })
    for (const path of ['/event/month/2027-05-12', '/event/year/2027-05-12', '/holidays/2027-05-01/2027-05-31'])
      expect((await call('GET', path)).body.weekend).toEqual([5, 6])
    await call('PATCH', '/workplaces', { ...place, weekend: [6, 7] })
  })
  it('refuses too many days, days in reverse order, and missing days', async () => {
    for (const path of [
      'range/2027-01-01/2036-12-31',
      'range/2027-02-01/2027-01-01',
      'month/2027-02-30',
      'year/1850-01-01',
    ])
      expect((await call('GET', `/event/${path}`)).status).toBe(400)
  })
})

describe('a repeatable event', () => {
  const standup = {
    title: 'Stand-up',
    rrule: 'FREQ=DAILY',
    startLocal: '2028-03-20T02:30',
    durationMin: 60,
    timeZone: 'Europe/Oslo',
  }
  const week = 'range/2028-03-24/2028-03-28?kinds=repeatable'
  const shown = async () =>
    (await entries(week))
      .filter(({ title }: { title: string }) => title !== 'Sync')
      .map(({ title, startsAt }: { title: string; startsAt: string }) => `${title} ${startsAt.slice(5, 16)}`)

  it('keeps its local time over a clock change, and is limited if it has no end', async () => {
    const { body } = await call('POST', '/repeatable-event', standup)
    // 26 March 2028 has no 02:30, so it moves an hour later
    expect(await shown()).toEqual([
      'Stand-up 03-24T01:30',
      'Stand-up 03-25T01:30',
      'Stand-up 03-26T01:30',
      'Stand-up 03-27T00:30',
      'Stand-up 03-28T00:30',
    ])
    expect(await daysOf('year/2098-01-01?kinds=repeatable')).toHaveLength(365 + 12)
    await call('DELETE', '/repeatable-event', { id: body.id })
  })
  it('can change one day, skip one day, and change all following days', async () => {
    const { body: made } = await call('POST', '/repeatable-event', { ...standup, startLocal: '2028-03-20T09:00' })
    const change = (more: object) => call('PATCH', '/repeatable-event', { id: made.id, ...more })
    await change({ reach: 'one', occurrence: '2028-03-25', title: 'Late', startLocal: '2028-03-25T11:00' })
    await call('DELETE', '/repeatable-event', { id: made.id, reach: 'one', occurrence: '2028-03-24' })
    const { body: rest } = await change({ reach: 'following', occurrence: '2028-03-27', title: 'Sit-down' })
    expect(rest.id).not.toBe(made.id)
    expect(await shown()).toEqual([
      'Late 03-25T10:00',
      'Stand-up 03-26T07:00',
      'Sit-down 03-27T07:00',
      'Sit-down 03-28T07:00',
    ])
    expect((await change({ reach: 'one', occurrence: '2028-03-24', title: 'Gone' })).body.fields).toHaveProperty(
      'occurrence',
    )
    expect((await change({ reach: 'one', occurrence: '2028-03-25', rrule: 'FREQ=DAILY' })).body.fields).toHaveProperty(
      'rrule',
    )
    expect((await change({ reach: 'one', title: 'Which' })).body.fields).toHaveProperty('occurrence')
    await call('DELETE', '/repeatable-event', { id: rest.id, reach: 'following', occurrence: '2028-03-28' })
    expect(await shown()).toEqual(['Late 03-25T10:00', 'Stand-up 03-26T07:00', 'Sit-down 03-27T07:00'])
    // a changed rule deletes changes of days that the rule no longer gives, and says so before
    const lost = await call('POST', '/repeatable-event/lost', { id: made.id, reach: 'all', rrule: 'FREQ=MONTHLY' })
    expect(lost.body.items).toEqual([
      { day: '2028-03-24', kind: 'cancelled' },
      { day: '2028-03-25', kind: 'changed' },
    ])
    expect(await shown()).toEqual(['Late 03-25T10:00', 'Stand-up 03-26T07:00', 'Sit-down 03-27T07:00'])
    expect((await change({ rrule: 'FREQ=WEEKLY;BYDAY=SU' })).status).toBe(200)
    expect(await shown()).toEqual(['Stand-up 03-26T07:00', 'Sit-down 03-27T07:00'])
    for (const id of [made.id, rest.id]) await call('DELETE', '/repeatable-event', { id })
    expect(await shown()).toEqual([])
  })
  it('is refused if its rule matches no day', async () => {
    const wrong = await call('POST', '/repeatable-event', { ...standup, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' })
    expect(wrong).toMatchObject({ status: 422, body: { fields: { rrule: expect.any(String) } } })
  })
})

describe('a national event', () => {
  it('is previewed for ten years with its days in lieu', async () => {
    const { body } = await call('POST', '/national-event/preview', {
      kind: 'movable',
      movableMethod: 'western-easter',
      offsetDays: 1,
      country: 'NO',
    })
    expect(body.items).toHaveLength(10)
    expect(
      body.items.every(({ date, with: others }: { date: string; with: string[] }) => date && others.length === 1),
    ).toBe(true)
    const fixed = await call('POST', '/national-event/preview', {
      month: 12,
      day: 26,
      substitution: 'next-working-day',
      validFrom: 2000,
    })
    const onWeekend = fixed.body.items.filter(({ date }: { date: string }) => weekdayOf(date) > 5)
    expect(onWeekend).not.toEqual([])
    for (const { date, substitute } of onWeekend) expect(substitute).toBe(addDays(date, 8 - weekdayOf(date)))
    const leap = await call('POST', '/national-event/preview', { month: 2, day: 29, validFrom: 2000 })
    expect(leap.body.items.filter(({ date }: { date: string | null }) => date === null).length).toBeGreaterThan(6)
  })
  it('reports each field that its rule needs', async () => {
    const wrong = async (body: object) =>
      Object.keys((await call('POST', '/national-event', { name: 'X', ...body })).body.fields)
    expect(await wrong({ kind: 'fixed' })).toEqual(['month', 'day'])
    expect(await wrong({ month: 4, day: 31 })).toEqual(['day'])
    expect(await wrong({ kind: 'movable' })).toEqual(['movableMethod'])
    expect(await wrong({ movableMethod: 'nth-weekday' })).toEqual(['month', 'weekday', 'week'])
    expect(await wrong({ month: 1, day: 1, validFrom: 2030, validTo: 2029 })).toEqual(['validTo'])
    expect(await wrong({ month: 1, day: 1, country: 'ZZ' })).toEqual(['country'])
  })
  it('is a holiday for staff in its country', async () => {
    const { body: sofia } = await t.call('POST', '/api/auth/departments', {
      token: admin.token,
      body: { name: 'Sofia' },
    })
    await call('PATCH', '/workplaces', {
      departmentId: sofia.id,
      country: 'BG',
      region: null,
      timeZone: 'Europe/Sofia',
    })
    const { body: made } = await call('POST', '/national-event', {
      name: 'Founders’ day',
      month: 7,
      day: 1,
      country: 'BG',
      validFrom: 2020,
    })
    const there = await t.somebody([])
    await t.app.db.update(users).set({ departmentId: sofia.id }).where(eq(users.id, there.id))
    const span = { from: '2027-05-01', to: '2027-07-31' }
    const found = await calendarsOfPeople(t.app.db, { ...span, userIds: [admin.id, there.id] })
    const [here, abroad] = [found.get(admin.id), found.get(there.id)].map((days) =>
      days?.holidays.map(({ date }) => date),
    )
    expect(here).toContain('2027-05-17')
    expect(here).not.toContain('2027-07-01')
    expect(abroad).toEqual(expect.arrayContaining(['2027-05-04', '2027-05-24', '2027-07-01']))
    expect(abroad).not.toContain('2027-05-17')
    await call('DELETE', '/national-event', { id: made.id })
    expect(
      (await calendarOf(t.app.db, { ...span, departmentId: sofia.id })).holidays.map(({ date }) => date),
    ).not.toContain('2027-07-01')
    await call('DELETE', '/workplaces', { departmentId: sofia.id })
    expect(
      (await calendarOf(t.app.db, { ...span, departmentId: sofia.id })).holidays.map(({ date }) => date),
    ).toContain('2027-05-17')
  })
})

describe('a birthday', () => {
  it('on 29 February falls on 28 February in other years, and hides the year', async () => {
    await t.app.db.insert(profiles).values({ id: admin.id, birthDate: '1988-02-29' })
    for (const [month, date] of [
      ['2027-02-01', '2027-02-28'],
      ['2028-02-01', '2028-02-29'],
    ]) {
      const { body } = await call('GET', `/employee-birthday/month/${month}`)
      expect(body.items).toMatchObject([{ date, month: 2, day: 29 }])
      expect(JSON.stringify(body)).not.toContain('1988')
      expect(await daysOf(`month/${month}?kinds=birthday`)).toEqual([date])
    }
    expect((await call('GET', '/employee-birthday')).body).toMatchObject({ total: 1 })
  })
})

describe('the previews of forms', () => {
  it('answer for another workplace, its removal, a changed holiday and the days of a rule', async () => {
    const [made] = await t.app.db.insert(departments).values({ name: 'Previewed' }).returning({ id: departments.id })
    const place = { departmentId: made!.id, country: 'SE', region: null, timeZone: 'Europe/Stockholm' }
    const answers = [await call('POST', '/workplaces/leaves', place)]
    expect((await call('PATCH', '/workplaces', place)).status).toBe(200)
    answers.push(await call('POST', '/workplaces/leaves', { ...place, remove: true }))
    const rule = { name: 'Previewed day', kind: 'fixed', country: null, month: 3, day: 9 }
    const { body: holiday } = await call('POST', '/national-event', rule)
    for (const change of [{}, { name: 'Other' }, { day: 10 }])
      answers.push(await call('POST', `/national-event/${holiday.id}/leaves`, change))
    expect(answers.map(({ status, body }) => [status, body.total])).toEqual(answers.map(() => [200, 0]))
    const days = { rrule: 'FREQ=WEEKLY;COUNT=2', startLocal: '2027-04-14T09:00', timeZone: 'Europe/Oslo' }
    expect((await call('POST', '/repeatable-event/preview', days)).body.items).toEqual(['2027-04-14', '2027-04-21'])
    const kept = await t.app.db.select().from(nationalEvents).where(eq(nationalEvents.id, holiday.id))
    expect(kept).toMatchObject([{ name: 'Previewed day', day: 9 }])
  })
})
