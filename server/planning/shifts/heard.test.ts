import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifications } from '../../access/notifications/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { comingDay, dayInWords } from '../../test/comingDays.ts'
import { openRoster, type Roster } from './test/shifts.ts'

let t: Roster
let kari: number
let ole: number
beforeAll(async () => {
  t = await openRoster(3)
  kari = t.people[0]!
  ole = t.people[1]!
})
afterAll(() => t.close())

const plan = async (userId: number, date: string, more: object = {}) =>
  (await t.api('POST', '', { userId, date, shiftTypeId: t.types.early, ...more })).body
/** Titles of the notifications that a person gets while `what` runs. */
async function heard(who: number, what: () => Promise<unknown>): Promise<string[]> {
  const [last] = await rows<{ n: number }>(
    t.app.db,
    sql`select coalesce(max(notification_id), 0)::int as n from notifications`,
  )
  await what()
  const found = await t.app.db
    .select()
    .from(notifications)
    .where(sql`${notifications.userId} = ${who} and ${notifications.id} > ${last?.n ?? 0}`)
    .orderBy(notifications.id)
  return found.map(({ title }) => title)
}

describe('people are notified of', () => {
  it('a shift that is deleted, but not of a draft', async () => {
    const { id } = await plan(kari, comingDay(0, 1))
    expect(await heard(kari, () => t.api('DELETE', '', { id }))).toEqual([
      `No longer planned: Early 06:00–14:00 on ${dayInWords(comingDay(0, 1))}`,
    ])
    const draft = await plan(kari, comingDay(0, 1), { status: 'draft' })
    expect(await heard(kari, () => t.api('DELETE', '', { id: draft.id }))).toEqual([])
  })
  it('shifts that a plan replaces, and of their restoration when the plan is undone', async () => {
    const { id, version } = await plan(kari, comingDay(0, 3))
    let batchId = 0
    expect(
      await heard(kari, async () => {
        batchId = (await t.api('POST', '/plan', { remove: [{ id, version }] })).body.batchId
      }),
    ).toEqual([`No longer planned: Early 06:00–14:00 on ${dayInWords(comingDay(0, 3))}`])
    expect(await heard(kari, () => t.api('POST', `/batches/${batchId}/undo`, {}))).toEqual([
      `Your shift: Early 06:00–14:00 on ${dayInWords(comingDay(0, 3))}`,
    ])
  })
  it('other times of their shift, and of a shift that is given to somebody else or becomes a draft again', async () => {
    const { id } = await plan(kari, comingDay(0, 5))
    const change = (body: object) => t.api('PATCH', `/${id}`, body)
    expect(await heard(kari, () => change({ endTime: '13:00' }))).toEqual([
      `Your shift changed: Early 06:00–13:00 on ${dayInWords(comingDay(0, 5))}`,
    ])
    expect(await heard(kari, () => change({ breakMinutes: 10 }))).toEqual([])
    expect(await heard(kari, () => change({ userId: ole }))).toEqual([
      `No longer yours: Early 06:00–13:00 on ${dayInWords(comingDay(0, 5))}`,
    ])
    expect(await heard(ole, () => change({ status: 'draft' }))).toEqual([
      `No longer final: Early 06:00–13:00 on ${dayInWords(comingDay(0, 5))}`,
    ])
  })
  it('new times of a shift type that change their shifts, but not of a new name', async () => {
    const { body: type } = await t.api('POST', '/type', { name: 'Desk', startTime: '08:00', endTime: '16:00' })
    await plan(kari, comingDay(1, 1), { shiftTypeId: type.id })
    await plan(kari, comingDay(1, 2), { shiftTypeId: type.id, startTime: '10:00' })
    const change = (body: object) => t.api('PATCH', `/type/${type.id}`, body)
    expect(await heard(kari, () => change({ name: 'Front desk' }))).toEqual([])
    expect(await heard(kari, () => change({ endTime: '17:00' }))).toEqual([
      `Your shift changed: Front desk 08:00–17:00 on ${dayInWords(comingDay(1, 1))}`,
    ])
  })
  it('shifts that an automation drops or changes, and of the end of the automation', async () => {
    const { body } = await t.api('POST', '/automations', {
      ...{
        name: 'Odd',
        userId: kari,
        pattern: [t.types.early, null],
        startDate: comingDay(2, 1),
        endDate: comingDay(2, 4),
      },
      weeksAhead: 104,
    })
    const change = (fields: object) => t.api('PATCH', '/automations', { id: body.id, ...fields })
    expect(await heard(kari, () => change({ pattern: [t.types.late, null] }))).toEqual(['2 of your shifts changed'])
    expect(await heard(kari, () => change({ endDate: comingDay(2, 2) }))).toEqual([
      `No longer planned: Late 14:00–22:00 on ${dayInWords(comingDay(2, 3))}`,
    ])
    expect(await heard(kari, () => t.api('DELETE', '/automations', { id: body.id }))).toEqual([
      `No longer planned: Late 14:00–22:00 on ${dayInWords(comingDay(2, 1))}`,
    ])
  })
})
