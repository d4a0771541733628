import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../../access/users/tables.ts'
import { addDays, daysFromTo, weekdayOf } from '../../calendar/days.ts'
import { decides, leavesOf, type Person, takes } from '../../leaves/test/leaves.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { planAhead } from './planAhead.ts'

/**
 * An automation plans its weeks ahead, and a leave lies across their end. Whatever comes first (the plan of a day, the approval, the
 * cancellation), the roster, the cost of the leave and what comes back are the same.
 */
let t: Roster
let l: ReturnType<typeof leavesOf>
let chief: Person
beforeAll(async () => {
  t = await openRoster(1)
  l = leavesOf(t)
  chief = await t.somebody([...decides, 'calendar:leave:read'], 'chief')
  await t.api('PATCH', '/settings', { onLeave: 'remove' })
  const body = { charge: 'shifts', deductsBalance: false }
  await t.call('PATCH', '/api/leave-calendar/types/7', { token: t.admin, body })
  const asking = await worker()
  half = 8 - weekdayOf(edge(0))
  for (; half < LAST; half += 1) {
    const day = { typeId: 7, startDate: edge(half), endDate: edge(half) }
    if ((await l.ask(asking, 'POST', 'requests/preview', day)).body.days === 1) break
  }
})
afterAll(() => t.close())

let people = 0
const worker = async () => {
  people += 1
  const who = await t.somebody([...takes, 'calendar:shift:read'], `edge${people}`)
  await t.app.db.update(users).set({ departmentId: t.departmentId }).where(eq(users.id, who.id))
  return who
}
/** The nth day from the last one of the two weeks that an automation plans today. */
const edge = (n: number) => addDays(t.today, 13 + n)
/** The last day that the tests of half days look at. */
const LAST = 13
/** The first working day of the week that is not planned yet: without it, the days after the last planned one count as free (decision 67). */
let half: number
/** A moment of the day on which it plans two weeks more. */
const later = () => new Date(Date.now() + 14 * 86_400_000)

const wanted = (who: Person) => ({
  ...{ name: `Days of ${who.id}`, userId: who.id, weeksAhead: 2, status: 'published', onHoliday: 'work' },
  ...{ pattern: [t.types.early], startDate: edge(-6) },
})
const automate = async (who: Person) => {
  const { status, body } = await t.api('POST', '/automations', wanted(who))
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}
/** A request of the two last planned days and the two next ones. */
const takeWhole = async (who: Person) => (await l.take(who, edge(-1), edge(2), { typeId: 7 })).body.id as number
/** A request of half a day in the first week that is not planned yet. */
const takeHalf = async (who: Person) =>
  (await l.take(who, edge(half), edge(half), { typeId: 7, startPart: 'afternoon', endPart: 'afternoon' })).body
    .id as number
const approve = async (id: number) => expect((await l.review(chief, id)).status).toBe(200)
const cancel = async (who: Person, requestId: number) => {
  const { body } = await l.ask(who, 'POST', 'cancellations', { requestId })
  expect((await l.ask(chief, 'PATCH', `cancellations/review/${body.id}`, { isApproved: true })).status).toBe(200)
}
const planLater = () => planAhead(t.app, later())
/** Days with a shift, from the third last planned one to the third next or another one, with the times if these are not the whole early shift. */
const planned = async (who: Person, last = 3) => {
  const { items } = (await t.api('GET', `/user/${who.id}?from=${edge(-2)}&to=${edge(last)}`)).body
  return items.map(({ date, startTime, endTime }: Record<'date' | 'startTime' | 'endTime', string>) => {
    const times = `${startTime}–${endTime}`
    return `${daysFromTo(edge(0), date) - 1}${times === '06:00–14:00' ? '' : ` ${times}`}`
  })
}
const cost = async (id: number) => (await l.ask(chief, 'GET', `requests/${id}`)).body.days

type Take = typeof takeWhole
/** What can happen in which order. */
const orders = {
  'approved before anything is planned': async (who: Person, take: Take) => {
    const id = await take(who)
    await approve(id)
    await automate(who)
    await planLater()
    return id
  },
  'approved between two rounds': async (who: Person, take: Take) => {
    await automate(who)
    const id = await take(who)
    await approve(id)
    await planLater()
    return id
  },
  'approved after all is planned': async (who: Person, take: Take) => {
    await automate(who)
    await planLater()
    const id = await take(who)
    await approve(id)
    return id
  },
  'requested before and approved after': async (who: Person, take: Take) => {
    await automate(who)
    const id = await take(who)
    await planLater()
    await approve(id)
    return id
  },
}
const WHOLE = ['-2', '-1', '0', '1', '2', '3']

describe('a leave across the end of the weeks ahead', () => {
  describe.each(Object.entries(orders))('%s', (_, inOrder) => {
    it('takes and costs four days, and its cancellation restores them', async () => {
      const who = await worker()
      const id = await inOrder(who, takeWhole)
      expect([await planned(who), await cost(id)]).toEqual([['-2', '3'], 4])
      await planLater()
      expect([await planned(who), await cost(id)]).toEqual([['-2', '3'], 4])
      await cancel(who, id)
      expect(await planned(who)).toEqual(WHOLE)
      await planLater()
      expect(await planned(who)).toEqual(WHOLE)
    })
    it('of half a day cuts the shift and costs half a day, and its cancellation makes it whole', async () => {
      const who = await worker()
      const id = await inOrder(who, takeHalf)
      const whole = Array.from({ length: LAST + 3 }, (_, n) => `${n - 2}`)
      const cut = whole.map((day) => (day === `${half}` ? `${day} 06:00–12:00` : day))
      expect([await planned(who, LAST), await cost(id)]).toEqual([cut, 0.5])
      await cancel(who, id)
      await planLater()
      expect(await planned(who, LAST)).toEqual(whole)
    })
  })

  it('cancelled leaves nothing empty, also beyond the weeks ahead, where somebody had the days planned by hand', async () => {
    const who = await worker()
    const id = await takeWhole(who)
    await approve(id)
    const { id: automation } = await automate(who)
    const run = { from: t.today, to: edge(30) }
    expect((await t.api('POST', `/automations/id/${automation}/preview`, run)).body.kept.leave).toBe(4)
    await t.api('POST', `/automations/id/${automation}/run`, run)
    expect(await planned(who)).toEqual(['-2', '3'])
    await cancel(who, id)
    expect(await planned(who)).toEqual(WHOLE)
    const other = await worker()
    const before = await takeWhole(other)
    await approve(before)
    await automate(other)
    await cancel(other, before)
    await planLater()
    expect(await planned(other)).toEqual(WHOLE)
  })

  it('is shown before with the charge that it has afterwards', async () => {
    for (const take of [takeWhole, takeHalf]) {
      const who = await worker()
      const id = await take(who)
      await approve(id)
      const before = await cost(id)
      const far = { ...wanted(who), weeksAhead: 8 }
      const { items } = (await t.api('POST', '/automations/leaves', far)).body
      await t.api('POST', '/automations', far)
      const shown = items.find((one: { id: number }) => one.id === id)?.days ?? before
      expect([shown, await cost(id)]).toEqual(take === takeWhole ? [4, 4] : [0.5, 0.5])
    }
  })

  it('takes what a changed automation would plan now, and nothing of one that works through leaves', async () => {
    const who = await worker()
    const id = await takeWhole(who)
    await approve(id)
    const made = await automate(who)
    await planLater()
    const { early, late } = t.types
    const change = async (fields: object) => {
      const { version } = (await t.api('GET', `/automations/id/${made.id}`)).body
      const done = await t.api('PATCH', '/automations', { id: made.id, version, ...fields })
      expect(done.status, JSON.stringify(done.body)).toBe(200)
      await planLater()
    }
    // the day before the last planned one is free
    await change({ pattern: [late, late, late, late, late, null, ...Array.from({ length: 8 }, () => late)] })
    expect([await planned(who), await cost(id)]).toEqual([['-2 14:00–22:00', '3 14:00–22:00'], 3])
    await change({ onLeave: 'work' })
    expect(await planned(who)).toEqual(['-2', '0', '1', '2', '3'].map((day) => `${day} 14:00–22:00`))
    await change({ onLeave: 'skip', pattern: [early] })
    expect([await planned(who), await cost(id)]).toEqual([['-2', '3'], 4])
    await t.api('DELETE', '/automations', { id: made.id })
    await cancel(who, id)
    expect(await planned(who)).toEqual([])
  })
})
