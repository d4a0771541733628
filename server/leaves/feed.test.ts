import { eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { users } from '../users/tables.ts'
import { leavesOf, type Person, takes } from './testLeaves.ts'

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
  it('is read by other programs: whole days, what is sure and what is not, each under a name of its own', async () => {
    await t.app.db.update(users).set({ firstName: 'Kari;', lastName: 'A, B' }).where(eq(users.id, kari.id))
    const { body: sure } = await l.take(kari, '2028-02-28', '2028-03-01')
    await l.review(chief, sure.id)
    const { body: half } = await l.take(kari, '2028-06-05', '2028-06-05', { startPart: 'morning' })
    const { body: gone } = await l.take(kari, '2028-07-05')
    await l.review(chief, gone.id, false)
    const answer = await get(await open())
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/calendar')
    expect(answer.body).toContain('\r\nNAME:Leaves of Kari\\; A\\, B\r\n')
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
  it('has one address, which a new one ends, and which ends when asked', async () => {
    const first = await open()
    const second = await open()
    expect([(await get(first)).statusCode, (await get(second)).statusCode]).toEqual([404, 200])
    expect((await l.ask(kari, 'GET', 'feed')).body).toMatchObject({ active: true, lastReadAt: expect.any(String) })
    await l.ask(kari, 'DELETE', 'feed')
    expect((await get(second)).statusCode).toBe(404)
    expect((await l.ask(kari, 'GET', 'feed')).body).toEqual({ active: false, createdAt: null, lastReadAt: null })
  })
  it('ends with the account', async () => {
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
  ])('answers %j with nothing of anybody', async (query) => {
    const { statusCode, body } = await get(`/api/leave-calendar/feed.ics${query}`)
    expect([400, 404]).toContain(statusCode)
    expect(body).not.toContain('VCALENDAR')
  })
})
