import { eq, sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { addDays } from '../../calendar/days.ts'
import { workplaces } from '../../calendar/tables.ts'
import { leavesOf, type Person, takes } from '../test/leaves.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let kari: Person
let chief: Person
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  kari = await t.somebody(takes, 'kari')
  chief = await t.somebody('admin')
})
afterAll(() => t.close())

const open = async () => (await l.ask(kari, 'POST', 'feed', {})).body.path as string
const get = (path: string) => t.http.inject({ method: 'GET', url: path })
const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))

describe('a calendar feed', () => {
  it('is readable by other programs: whole days, approved and pending, each with its own UID', async () => {
    await t.app.db.update(users).set({ firstName: 'Kari;', lastName: 'A, B' }).where(eq(users.id, kari.id))
    await l.grant(kari, 2028)
    const { body: sure } = await l.take(kari, '2028-02-28', '2028-03-01')
    await l.review(chief, sure.id)
    const { body: half } = await l.take(kari, '2028-06-05', '2028-06-05', { startPart: 'morning' })
    const { body: gone } = await l.take(kari, '2028-07-05')
    await l.review(chief, gone.id, false)
    const answer = await get(await open())
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/calendar')
    expect(answer.body).toContain('\r\nNAME:Calendar of Kari\\; A\\, B\r\n')
    expect(answer.body).toMatch(/\r\nEND:VCALENDAR\r\n$/)
    const events = eventsOf(answer.body)
    expect(
      events.map((event) => [
        event.uid,
        event.summary,
        event.startDate.toString(),
        event.endDate.toString(),
        event.startDate.isDate,
        event.component.getFirstPropertyValue('status'),
      ]),
    ).toEqual([
      [`leave-${sure.id}@innkeeper`, 'Paid leave', '2028-02-28', '2028-03-02', true, 'CONFIRMED'],
      [`leave-${half.id}@innkeeper`, 'Paid leave, morning (asked for)', '2028-06-05', '2028-06-06', true, 'TENTATIVE'],
    ])
  })
  it('contains published shifts and accepted events, also over a clock change', async () => {
    const siri = await t.somebody(takes, 'siri')
    const made = async (path: string, body: object) =>
      (await t.call('POST', `/api/${path}`, { token: chief.token, body })).body as { id: number }
    const type = await made('calendar/shifts/type', { name: 'Night', startTime: '22:00', endTime: '06:00' })
    const night = { userId: siri.id, shiftTypeId: type.id }
    const shift = await made('calendar/shifts', { ...night, date: '2028-03-25' })
    await made('calendar/shifts', { ...night, date: '2028-03-27', status: 'draft' })
    const zone = { timeZone: 'Europe/Oslo' }
    const times = { startsAt: '2028-05-02T09:00', endsAt: '2028-05-02T10:30' }
    const meeting = await made('event-calendar/event', {
      ...zone,
      ...times,
      title: 'Plans; for all',
      location: 'Room 1',
    })
    const days = { startsAt: '2028-05-04T00:00', endsAt: '2028-05-05T00:00', allDay: true }
    const trip = await made('event-calendar/event', { ...zone, ...days, title: 'Trip' })
    const declined = await made('event-calendar/event', { ...zone, ...times, title: 'Not for me' })
    for (const [{ id }, rsvp] of [
      [meeting, 'accepted'],
      [trip, 'tentative'],
      [declined, 'declined'],
    ] as const) {
      const asked = await made(`event-calendar/event/${id}/attendant`, { userId: siri.id })
      const token = chief.token
      await t.call('PATCH', `/api/event-calendar/event/${id}/attendant/${asked.id}`, { token, body: { rsvp } })
    }
    const { path } = (await l.ask(siri, 'POST', 'feed', {})).body
    const events = eventsOf((await get(path)).body)
    expect(
      events.map(({ uid, summary, location, startDate, endDate, component }) => [
        ...[uid, summary, location, startDate.toString(), endDate.toString()],
        component.getFirstPropertyValue('status'),
      ]),
    ).toEqual([
      [`shift-${shift.id}@innkeeper`, 'Night', null, '2028-03-25T22:00:00Z', '2028-03-26T06:00:00Z', 'CONFIRMED'],
      [
        ...[
          `event-${meeting.id}@innkeeper`,
          'Plans; for all',
          'Room 1',
          '2028-05-02T07:00:00Z',
          '2028-05-02T08:30:00Z',
        ],
        'CONFIRMED',
      ],
      [`event-${trip.id}@innkeeper`, 'Trip', null, '2028-05-04', '2028-05-06', 'TENTATIVE'],
    ])
  })
  it('contains repeatable events for readers of events, and holidays if the address asks for them', async () => {
    const tor = await t.somebody([...takes, 'calendar:event:read'])
    const inAWeek = addDays(new Date().toISOString().slice(0, 10), 7)
    await t.call('POST', '/api/event-calendar/repeatable-event', {
      token: chief.token,
      body: { title: 'Weekly', rrule: 'FREQ=WEEKLY;COUNT=3', startLocal: `${inAWeek}T09:00`, durationMin: 30 },
    })
    await t.app.db.insert(workplaces).values({ country: 'NO', timeZone: 'Europe/Oslo' })
    const { path } = (await l.ask(tor, 'POST', 'feed', {})).body
    const titles = async (more: string) => eventsOf((await get(`${path}${more}`)).body).map(({ summary }) => summary)
    expect((await titles('')).filter((title) => title === 'Weekly')).toHaveLength(3)
    expect(await titles('')).not.toContain('Constitution Day')
    expect(await titles('&repeatables=false&holidays=true')).toContain('Constitution Day')
    expect(await titles('&repeatables=false&holidays=true')).not.toContain('Weekly')
    expect((await get(`${path}&holidays=maybe`)).statusCode).toBe(400)
  })
  it('has one URL, which can be replaced or closed', async () => {
    const first = await open()
    const second = await open()
    expect([(await get(first)).statusCode, (await get(second)).statusCode]).toEqual([404, 200])
    expect((await l.ask(kari, 'GET', 'feed')).body).toMatchObject({ active: true, lastReadAt: expect.any(String) })
    await l.ask(kari, 'DELETE', 'feed')
    expect((await get(second)).statusCode).toBe(404)
    expect((await l.ask(kari, 'GET', 'feed')).body).toEqual({ active: false, createdAt: null, lastReadAt: null })
  })
  it('is closed when the account is deleted', async () => {
    const ola = await t.somebody(takes)
    const { path } = (await l.ask(ola, 'POST', 'feed', {})).body
    await t.call('DELETE', '/api/auth/users', { token: chief.token, body: { id: ola.id } })
    expect((await get(path)).statusCode).toBe(404)
  })
  it.each([
    '',
    '?key=',
    '?key=short',
    `?key=${'A'.repeat(32)}`,
    '?key=%00',
  ])('answers %j without any data', async (query) => {
    const { statusCode, body } = await get(`/api/leave-calendar/feed.ics${query}`)
    expect([400, 404]).toContain(statusCode)
    expect(body).not.toContain('VCALENDAR')
  })
  it('answers 403 while its owner must set up a second factor or choose a password, and continues afterwards', async () => {
    const who = await t.somebody(takes)
    const { path } = (await l.ask(who, 'POST', 'feed', {})).body
    const mine = sql`user_id = ${who.id}`
    const owing = async () => {
      const { statusCode, body } = await get(path)
      return [statusCode, statusCode === 200 ? null : JSON.parse(body).code]
    }
    const require = (isRequired: boolean) =>
      t.app.db.execute(sql`update roles set requires_second_factor = ${isRequired}
        where role_id = (select role_id from users where ${mine})`)
    await require(true)
    expect(await owing()).toEqual([403, 'owes-second-factor'])
    await require(false)
    await t.app.db.execute(sql`update users set must_change_password = true where ${mine}`)
    expect(await owing()).toEqual([403, 'owes-password'])
    await t.app.db.execute(sql`update users set must_change_password = false where ${mine}`)
    expect(await owing()).toEqual([200, null])
  })
  it('is closed when its owner is signed out everywhere, changes the password or loses permissions', async () => {
    const ends: [string, (who: Person, name: string) => Promise<{ status: number }>][] = [
      [
        'forceLogout',
        ({ id }) => t.call('POST', '/api/auth/forceLogout', { token: chief.token, body: { userId: id } }),
      ],
      ['endOthers', ({ token }) => t.call('DELETE', '/api/auth/sessions', { token })],
      [
        'password',
        ({ token }, name) =>
          t.call('PATCH', '/api/auth/password', {
            ...{ token, body: { current: `password of ${name}`, password: 'nine blue kettles' } },
          }),
      ],
      [
        'setPassword',
        ({ id }) =>
          t.call('POST', `/api/auth/users/${id}/password`, {
            ...{ token: chief.token, body: { password: 'nine blue kettles' } },
          }),
      ],
      [
        'role',
        ({ id }) => t.call('PATCH', '/api/auth/roles/users', { token: chief.token, body: { users: [id], role: null } }),
      ],
    ]
    for (const [name, end] of ends) {
      const who = await t.somebody(takes, `feed-${name}`)
      const { path } = (await l.ask(who, 'POST', 'feed', {})).body
      expect((await get(path)).statusCode).toBe(200)
      expect((await end(who, `feed-${name}`)).status, name).toBeLessThan(300)
      expect((await get(path)).statusCode, name).toBe(404)
    }
  })
})
