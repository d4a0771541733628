import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { comingDay } from '../../../test/comingDays.ts'
import { decides, leavesOf, type Person, takes } from '../test/leaves.ts'

/**
 * PostgreSQL runs these requests concurrently, the embedded database in sequence. In both cases exactly one succeeds.
 */
let t: TestApp
let l: ReturnType<typeof leavesOf>
let approvers: Person[]
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  approvers = await Promise.all(['first', 'second', 'third'].map((name) => t.somebody(decides, name)))
})
afterAll(() => t.close())

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('concurrently', () => {
  it('of two approvers, one decides, and the other gets the decision', async () => {
    const worker = await l.joined(await t.somebody(takes))
    for (const day of [1, 2, 3, 4, 5].map((weekday) => comingDay(0, weekday))) {
      const { body: leave } = await l.take(worker, day)
      const answers = await Promise.all(approvers.map((who, n) => l.review(who, leave.id, n !== 1)))
      expect(statuses(answers)).toEqual([200, 409, 409])
      const won = answers.find(({ status }) => status === 200)!.body
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body).toMatchObject({
          message: `${won.reviewedByName} ${won.status} it already`,
          current: { status: won.status, reviewedBy: won.reviewedBy },
        })
    }
  })
  it('two requests do not overdraw a balance', async () => {
    const worker = await l.joined(await t.somebody(takes))
    const weeks = ['01-04', '02-01', '03-01', '04-05', '05-03', '06-07', '07-05'].map((day) => `2027-${day}`)
    const answers = await Promise.all(
      weeks.map((monday) =>
        l.take(worker, monday, `${monday.slice(0, 8)}${String(Number(monday.slice(8)) + 4).padStart(2, '0')}`),
      ),
    )
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 422, 422]) // 25 days are five weeks
    expect(await l.balance(worker, 2027)).toMatchObject({ balance: 0, pending: 25 })
  })
  it('two simultaneous requests for one day become one leave', async () => {
    const worker = await l.joined(await t.somebody(takes))
    const answers = await Promise.all(Array.from({ length: 4 }, () => l.take(worker, '2027-02-02')))
    expect(statuses(answers)).toEqual([201, 409, 409, 409])
    expect((await l.balance(worker, 2027)).pending).toBe(1)
  })
  it('a withdrawal and an approval run one after the other, and the balance is correct', async () => {
    for (let n = 0; n < 5; n++) {
      const worker = await l.joined(await t.somebody(takes))
      const { body: leave } = await l.take(worker, '2027-02-02')
      const [cancelled, approved] = await Promise.all([
        l.ask(worker, 'POST', 'cancellations', { requestId: leave.id }),
        l.review(approvers[0]!, leave.id),
      ])
      expect(cancelled.status).toBe(201)
      const isApproved = approved.status === 200
      expect(approved.status).toBe(isApproved ? 200 : 409)
      expect(cancelled.body.status).toBe(isApproved ? 'pending' : 'approved')
      expect(await l.balance(worker, 2027)).toMatchObject(
        isApproved ? { used: 1 } : { used: 0, pending: 0, balance: 25 },
      )
    }
  })
  it('of two decisions about a cancellation, one wins', async () => {
    const worker = await l.joined(await t.somebody(takes))
    const { body: leave } = await l.take(worker, '2027-02-02')
    await l.review(approvers[0]!, leave.id)
    const { body } = await l.ask(worker, 'POST', 'cancellations', { requestId: leave.id })
    const answers = await Promise.all(
      approvers.map((who) => l.ask(who, 'PATCH', `cancellations/review/${body.id}`, { isApproved: true })),
    )
    expect(statuses(answers)).toEqual([200, 409, 409])
    expect((await l.balance(worker, 2027)).balance).toBe(25)
  })
})
