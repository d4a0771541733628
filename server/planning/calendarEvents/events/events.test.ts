import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifications } from '../../../access/notifications/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
let t: TestApp
let admin: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
})
afterAll(() => t.close())

const as = (token: string) => (method: Method, path: string, body?: unknown) =>
  t.call(method, `/api/event-calendar${path}`, { token, ...(body !== undefined && { body }) })
const call = (method: Method, path: string, body?: unknown) => as(admin.token)(method, path, body)
const staff = (...scopes: string[]) => t.somebody(['calendar:event:read', ...scopes])
const party = { title: 'Party', startsAt: '2099-05-08T14:00', endsAt: '2099-05-08T15:00', timeZone: 'Europe/Oslo' }
const event = async (more: object = {}) => (await call('POST', '/event', { ...party, ...more })).body
const rsvps = async (id: number) => {
  const { body } = await call('GET', `/event/${id}/attendant?sort=createdAt`)
  return body.items.map(({ rsvp }: { rsvp: string }) => rsvp)
}
const told = async (userId: number) =>
  (await t.app.db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ title }) => title)

describe('an event', () => {
  it('is created in the local time of its zone, and answers both local time and instant', async () => {
    expect(await call('POST', '/event', party)).toMatchObject({
      status: 201,
      body: {
        startsAt: '2099-05-08T12:00:00.000Z',
        startLocal: '2099-05-08T14:00',
        type: 'meeting',
        organizerId: admin.id,
      },
    })
  })
  it('of whole days starts and ends at midnight of its zone, also when it is saved unchanged', async () => {
    const made = await event({ allDay: true, startsAt: '2026-10-24T00:00', endsAt: '2026-10-25T00:00' })
    expect(made).toMatchObject({ startsAt: '2026-10-23T22:00:00.000Z', endsAt: '2026-10-25T23:00:00.000Z' })
    expect(made).toMatchObject({ startLocal: '2026-10-24T00:00', endLocal: '2026-10-25T00:00' })
    const { startsAt, endsAt } = made
    const again = await call('PATCH', `/event/${made.id}`, { startsAt, endsAt, title: 'Two days' })
    expect(again.body).toMatchObject({ startsAt, endsAt })
  })
  it('names the wrong field', async () => {
    const wrong = async (more: object) => (await call('POST', '/event', { ...party, ...more })).body.fields
    expect(await wrong({ endsAt: '2099-05-08T14:00' })).toHaveProperty('endsAt')
    expect(await wrong({ endsAt: '2099-05-08T13:00:00+02:00' })).toHaveProperty('endsAt')
    expect(await wrong({ startsAt: '2026-02-29T10:00' })).toHaveProperty('startsAt')
    expect(await wrong({ startsAt: '2090-01-01T00:00' })).toHaveProperty('endsAt')
    expect(await wrong({ timeZone: 'Europe/Nowhere' })).toHaveProperty('timeZone')
    expect(await wrong({ organizerId: 99_999 })).toHaveProperty('organizerId')
    expect(await wrong({ departmentId: 99_999 })).toHaveProperty('departmentId')
    expect(await wrong({ capacity: 0 })).toHaveProperty('capacity')
    expect(await wrong({ title: ' ' })).toHaveProperty('title')
  })
  it('refuses a stale save and answers the stored event', async () => {
    const { id, version } = await event()
    await call('PATCH', `/event/${id}`, { title: 'Mine', version })
    expect(await call('PATCH', `/event/${id}`, { title: 'Theirs', version })).toMatchObject({
      status: 409,
      body: { current: { title: 'Mine' } },
    })
  })
  it('for a department is hidden from others unless they are invited', async () => {
    const { body: department } = await t.call('POST', '/api/auth/departments', {
      token: admin.token,
      body: { name: 'Own' },
    })
    const { id } = await event({ departmentId: department.id, title: 'Among us' })
    const [inside, outside, asked] = [await staff(), await staff(), await staff()]
    await t.app.db.update(users).set({ departmentId: department.id }).where(eq(users.id, inside.id))
    await t.app.db.transaction((tx) => t.app.sessions.touch(tx, inside.id))
    await call('POST', `/event/${id}/attendant`, { userId: asked.id })
    const seen = async ({ token }: { token: string }) => [
      (await as(token)('GET', `/event/${id}`)).status,
      (await as(token)('POST', `/event/${id}/singup`, {})).status,
      (await as(token)('GET', '/event?search=among')).body.total,
      (await as(token)('GET', '/event/month/2099-05-01?kinds=event')).body.items.some(
        (e: { id: number }) => e.id === id,
      ),
    ]
    expect(await seen(outside)).toEqual([404, 404, 0, false])
    expect(await seen(asked)).toEqual([200, 201, 1, true])
    await expect.poll(() => seen(inside)).toEqual([200, 201, 1, true])
  })
  it('that moves or is cancelled notifies attendants, invited people and the waiting list', async () => {
    const { id } = await event({ title: 'Launch' })
    const [comes, declines] = [await staff(), await staff()]
    await as(comes.token)('POST', `/event/${id}/signup`, {})
    await as(declines.token)('POST', `/event/${id}/singup`, { rsvp: 'declined' })
    await call('PATCH', `/event/${id}`, { description: 'Bring cake' })
    await call('PATCH', `/event/${id}`, { startsAt: '2099-05-09T10:00', endsAt: '2099-05-09T11:00' })
    await call('DELETE', `/event/${id}`)
    expect(await told(comes.id)).toEqual(['Changed: Launch', 'Cancelled: Launch'])
    expect(await told(declines.id)).toEqual([])
    expect((await call('GET', `/event/${id}`)).status).toBe(404)
  })
})

describe('a place at an event', () => {
  it('that is the last one is given to only one of two simultaneous sign-ups', async () => {
    const { id } = await event({ capacity: 1 })
    const people = await Promise.all([staff(), staff(), staff(), staff()])
    const answers = await Promise.all(people.map(({ token }) => as(token)('POST', `/event/${id}/singup`, {})))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect((await rsvps(id)).sort()).toEqual(['accepted', 'waitlisted', 'waitlisted', 'waitlisted'])
    expect(answers.flatMap(({ body }) => body.waitingPlace ?? []).sort()).toEqual([1, 2, 3])
  })
  it('that becomes free goes to the first on the waiting list, with a notification', async () => {
    const { id } = await event({ capacity: 1, title: 'Dinner' })
    const [first, second, third] = [await staff(), await staff(), await staff()]
    for (const { token } of [first, second, third]) await as(token)('POST', `/event/${id}/singup`, {})
    await as(second.token)('POST', `/event/${id}/singup`, {}) // a repeated request keeps the place in the queue
    await as(first.token)('POST', `/event/${id}/singup`, { rsvp: 'declined' })
    expect(await rsvps(id)).toEqual(['declined', 'accepted', 'waitlisted'])
    expect(await told(second.id)).toEqual(['You have a place: Dinner'])
    const { body } = await call('GET', `/event/${id}/attendant?rsvp=accepted`)
    await call('DELETE', `/event/${id}/attendant/${body.items[0].id}`)
    expect(await rsvps(id)).toEqual(['declined', 'accepted'])
    expect(await told(third.id)).toEqual(['You have a place: Dinner'])
  })
  it('of a deleted account goes to the waiting list', async () => {
    const { id } = await event({ capacity: 1 })
    const [gone, waits] = [await staff(), await staff()]
    for (const { token } of [gone, waits]) await as(token)('POST', `/event/${id}/singup`, {})
    const { status } = await t.call('DELETE', '/api/auth/users', { token: admin.token, body: { id: gone.id } })
    expect(status).toBe(204)
    expect(await rsvps(id)).toEqual(['accepted'])
    expect((await as(waits.token)('GET', `/event/${id}`)).body).toMatchObject({ accepted: 1, myRsvp: 'accepted' })
  })
  it('is added when the capacity grows; nobody loses one when it shrinks', async () => {
    const { id } = await event({ capacity: 1 })
    for (const { token } of [await staff(), await staff(), await staff()])
      await as(token)('POST', `/event/${id}/singup`, {})
    await call('PATCH', `/event/${id}`, { capacity: 2 })
    expect((await rsvps(id)).sort()).toEqual(['accepted', 'accepted', 'waitlisted'])
    expect(await call('PATCH', `/event/${id}`, { capacity: 1 })).toMatchObject({
      status: 422,
      body: { fields: { capacity: expect.any(String) } },
    })
    await call('PATCH', `/event/${id}`, { capacity: null })
    expect(await rsvps(id)).toEqual(['accepted', 'accepted', 'accepted'])
  })
  it('cannot be taken after the sign-up deadline or the event, but can still be declined', async () => {
    const { token } = await staff()
    const { id } = await event({ signupUntil: '2020-01-01T00:00' })
    expect((await as(token)('POST', `/event/${id}/singup`, {})).status).toBe(422)
    expect((await as(token)('POST', `/event/${id}/singup`, { rsvp: 'declined' })).status).toBe(201)
    const past = await event({ startsAt: '2020-01-01T10:00', endsAt: '2020-01-01T11:00' })
    expect((await as(token)('POST', `/event/${past.id}/singup`, {})).status).toBe(422)
  })
})

describe('the list of an event', () => {
  it('accepts people one by one and by department, once each, and notifies them', async () => {
    const { id } = await event({ title: 'Course' })
    const [one, two] = [await staff(), await staff()]
    expect((await call('POST', `/event/${id}/attendant`, { userId: one.id })).status).toBe(201)
    expect(await call('POST', `/event/${id}/attendant`, { userId: one.id })).toMatchObject({ status: 409 })
    expect((await call('POST', `/event/${id}/attendant`, { userId: 99_999 })).body.fields).toHaveProperty('userId')
    const many = (userIds: number[]) => call('POST', `/event/${id}/attendant/many`, { userIds })
    expect((await many([one.id, two.id, 99_999])).body.fields).toEqual({ userIds: 'User 99999 does not exist' })
    expect((await many([one.id, two.id])).body).toEqual({ invited: 1 })
    expect(await told(one.id)).toEqual(['Invitation: Course'])
    expect((await as(two.token)('GET', '/upcoming')).body.items).toMatchObject([
      { title: 'Course', myRsvp: 'needs-action' },
    ])
  })
  it('refuses ids of another event, and so does the attendance list', async () => {
    const [a, b] = [await event(), await event()]
    const { id: userId } = await staff()
    const { body: attendant } = await call('POST', `/event/${a.id}/attendant`, { userId })
    const { body: attendance } = await call('POST', `/event/${a.id}/attendance`, { userId })
    for (const [path, change] of [
      [`attendant/${attendant.id}`, { rsvp: 'declined' }],
      [`attendance/${attendance.id}`, { attendance: 'excused' }],
    ] as const) {
      expect((await call('GET', `/event/${b.id}/${path}`)).status).toBe(404)
      expect((await call('PATCH', `/event/${b.id}/${path}`, change)).status).toBe(404)
      expect((await call('DELETE', `/event/${b.id}/${path}`)).status).toBe(404)
      expect((await call('GET', `/event/${a.id}/${path}`)).status).toBe(200)
    }
  })
  it('shows who attended, including people without an invitation', async () => {
    const { id } = await event()
    const [asked, unasked] = [await staff(), await staff()]
    await call('POST', `/event/${id}/attendant`, { userId: asked.id, rsvp: 'accepted' })
    const { body } = await call('POST', `/event/${id}/attendance`, { userId: asked.id })
    expect(body).toMatchObject({ attendance: 'present' })
    expect((await call('POST', `/event/${id}/attendance`, { userId: asked.id })).status).toBe(409)
    await call('PATCH', `/event/${id}/attendance/${body.id}`, { attendance: 'excused', note: 'Ill' })
    await call('POST', `/event/${id}/attendance`, { userId: unasked.id })
    expect((await call('GET', `/event/${id}/attendant`)).body.items).toMatchObject([
      { attendance: 'excused', attendanceId: body.id },
    ])
    expect((await call('GET', `/event/${id}/attendance?attendance=present`)).body).toMatchObject({ total: 1 })
  })
})
