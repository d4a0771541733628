import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { shiftMonths } from '../../calendar/tables.ts'
import { shifts, shiftTypes } from '../../shifts/tables.ts'
import { leavesOf, type Person, takes } from '../test/leaves.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let chief: Person
let kari: Person
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  chief = await t.somebody('admin', 'chief')
  kari = await l.joined(await t.somebody(takes, 'kari'))
})
afterAll(() => t.close())

describe('a closed month', () => {
  const close = async (month: string) => void (await t.app.db.insert(shiftMonths).values({ month, closedBy: 'chief' }))
  const said = 'March 2027 is closed'

  it('refuses a leave that includes one of its days, and reserves nothing', async () => {
    await close('2027-03-01')
    for (const [from, to] of [
      ['2027-03-10', '2027-03-10'],
      ['2027-02-26', '2027-03-01'],
      ['2027-03-31', '2027-04-02'],
    ] as const)
      expect(await l.take(kari, from, to)).toMatchObject({ status: 422, body: { fields: { startDate: said } } })
    const preview = { typeId: 1, startDate: '2027-02-26', endDate: '2027-03-01' }
    expect((await l.ask(kari, 'POST', 'requests/preview', preview)).body.problems).toEqual({ startDate: said })
    expect((await l.take(kari, '2027-02-26')).status).toBe(201)
    expect((await l.balance(kari, 2027)).pending).toBe(1)
  })
  it('allows rejections, but no approvals or cancellations', async () => {
    const { body: approved } = await l.take(kari, '2027-06-01')
    await l.review(chief, approved.id)
    const { body: cancellation } = await l.ask(kari, 'POST', 'cancellations', { requestId: approved.id })
    const { body: waiting } = await l.take(kari, '2027-06-02')
    const { body: other } = await l.take(kari, '2027-06-03')
    await l.review(chief, other.id)
    await close('2027-06-01')
    const before = await l.balance(kari, 2027)
    const refusals = [
      await l.review(chief, waiting.id),
      await l.ask(chief, 'PATCH', `cancellations/review/${cancellation.id}`, { isApproved: true }),
      await l.ask(kari, 'POST', 'cancellations', { requestId: other.id }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual(
      refusals.map(() => [422, 'June 2027 is closed']),
    )
    expect(await l.balance(kari, 2027)).toEqual(before)
    expect((await l.review(chief, waiting.id, false)).status).toBe(200)
  })
})

describe('planned shifts', () => {
  const shift = (shiftTypeId: number) => (date: string, startMinute: number, endMinute: number) => ({
    userId: kari.id,
    shiftTypeId,
    ...{ date, name: 'Desk', code: 'D', colour: 'info' as const, startMinute, endMinute, breakMinutes: 0 },
    startsAt: new Date(Date.parse(date) + startMinute * 60_000).toISOString(),
    endsAt: new Date(Date.parse(date) + endMinute * 60_000).toISOString(),
    ...{ timeZone: 'UTC', nightSteps: 0, weighted420: 3360, status: 'published' as const },
  })
  it('that would be unstaffed are shown beside the request, including half days and the preceding night', async () => {
    const type = { name: 'Desk', code: 'D', startTime: '08:00', endTime: '16:00' }
    const [desk] = await t.app.db.insert(shiftTypes).values(type).returning({ id: shiftTypes.id })
    const plan = shift(desk!.id)
    await t.app.db.insert(shifts).values([
      plan('2027-09-05', 1320, 1800), // a night that ends on the first day
      plan('2027-09-06', 1320, 1800),
      plan('2027-09-08', 480, 720), // the morning of the last
      plan('2027-09-08', 720, 1200),
      plan('2027-09-09', 480, 960),
    ])
    const free = async (startPart: string) => {
      const { body } = await l.take(kari, '2027-09-06', '2027-09-08', { startPart, endPart: 'morning' })
      const { shifts } = (await l.ask(chief, 'GET', `requests/${body.id}/coverage`)).body
      await l.ask(kari, 'POST', 'cancellations', { requestId: body.id })
      return shifts.map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 16))
    }
    expect(await free('full')).toEqual(['2027-09-05T22:00', '2027-09-06T22:00', '2027-09-08T08:00'])
    expect(await free('afternoon')).toEqual(['2027-09-06T22:00', '2027-09-08T08:00'])
  })
})
