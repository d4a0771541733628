import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifications } from '../../../access/notifications/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { comingDay, dayInWords } from '../../../test/comingDays.ts'
import { addDays } from '../../calendar/days.ts'
import { mayTake } from '../notify.ts'
import { shifts } from '../tables.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { voidSwaps } from './void.ts'

type Person = Awaited<ReturnType<Roster['somebody']>>
let t: Roster
let kari: Person
let ole: Person
let boss: Person
let stranger: Person
beforeAll(async () => {
  t = await openRoster(1)
  kari = await t.somebody(['calendar:shift:read'], 'kari')
  ole = await t.somebody(['calendar:shift:read'], 'ole')
  boss = await t.somebody(['calendar:shift:read', 'calendar:shift:create', 'calendar:shift:delete'], 'boss')
  stranger = await t.somebody(['calendar:shift:read'], 'stranger')
  for (const { id } of [kari, ole, boss])
    await t.app.db.update(users).set({ departmentId: t.departmentId }).where(eq(users.id, id))
})
afterAll(() => t.close())

const plan = async (who: Person, date: string, shiftTypeId = t.types.early, more: object = {}) =>
  (await t.api('POST', '', { userId: who.id, date, shiftTypeId, ...more })).body
const offer = (who: Person, body: object) => t.api('POST', '/swaps', body, who.token)
const answer = (who: Person, id: number, accepts: boolean, more: object = {}) =>
  t.api('POST', `/swaps/${id}/answer`, { accepts, ...more }, who.token)
const decide = (id: number, isApproved: boolean, who = boss) =>
  t.api('PATCH', `/swaps/${id}`, { isApproved }, who.token)
const holders = async (...dates: string[]) =>
  (
    await rows<{ id: number }>(
      t.app.db,
      sql`select user_id as id from shifts where deleted_at is null and date = any(${sql.param(dates)}::date[]) order by date`,
    )
  ).map(({ id }) => id)
const lastTold = async (who: Person) => {
  const found = await t.app.db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, who.id))
    .orderBy(notifications.id)
  return found.at(-1)?.title
}

describe('a swap', () => {
  it('is void when the colleague gets leave on its day, even without a shift of their own, and both are told', async () => {
    const date = comingDay(11, 3)
    const shift = await plan(kari, date)
    const { body: swap } = await offer(kari, { shiftId: shift.id, userId: ole.id, otherShiftId: null })
    const leaves = '/api/leave-calendar/requests'
    const asked = { userId: ole.id, typeId: 2, startDate: date, endDate: date }
    const { body: leave } = await t.call('POST', leaves, { token: t.admin, body: asked })
    await t.call('PATCH', `${leaves}/review/${leave.id}`, { token: t.admin, body: { isApproved: true } })
    const [found] = (await t.api('GET', '/swaps', undefined, kari.token)).body.items.filter(
      ({ id }: { id: number }) => id === swap.id,
    )
    expect(found).toMatchObject({ status: 'void', message: 'One of you is on leave by then' })
    expect(await lastTold(kari)).toContain('is void')
    const titles = await rows<{ title: string }>(
      t.app.db,
      sql`select title from notifications where user_id = ${ole.id} and title like '%is void'`,
    )
    expect(titles).toHaveLength(1)
    await t.api('DELETE', '', { id: shift.id })
  })
  it('is void when half a day of leave or a leave after a night touches its shift, and stands beside the other half', async () => {
    const leaves = '/api/leave-calendar/requests'
    const away = async (who: Person, date: string, part: object = {}) => {
      const asked = { userId: who.id, typeId: 2, startDate: date, endDate: date, ...part }
      const { body: leave } = await t.call('POST', leaves, { token: t.admin, body: asked })
      const { status } = await t.call('PATCH', `${leaves}/review/${leave.id}`, {
        ...{ token: t.admin, body: { isApproved: true } },
      })
      expect(status).toBe(200)
    }
    const offered = async (shiftTypeId: number, date: string) => {
      const shift = await plan(kari, date, shiftTypeId)
      return (await offer(kari, { shiftId: shift.id, userId: ole.id, otherShiftId: null })).body.id as number
    }
    const morning = { startPart: 'morning', endPart: 'morning' }
    const [met, beside, night] = [comingDay(12, 1), comingDay(12, 2), comingDay(12, 4)]
    const ids = [
      await offered(t.types.early, met),
      await offered(t.types.late, beside),
      await offered(t.types.night, night),
    ]
    await away(ole, met, morning)
    await away(ole, beside, morning)
    await away(ole, addDays(night, 1))
    const { items } = (await t.api('GET', '/swaps', undefined, kari.token)).body
    const statusOf = new Map(items.map((swap: { id: number; status: string }) => [swap.id, swap.status]))
    expect(ids.map((id) => statusOf.get(id))).toEqual(['void', 'offered', 'void'])
    // open shifts at these times are announced to whoever is free then
    const open: number[] = []
    for (const [date, shiftTypeId] of [
      [met, t.types.early],
      [beside, t.types.late],
      [night, t.types.night],
    ])
      open.push((await t.api('POST', '', { userId: null, departmentId: t.departmentId, date, shiftTypeId })).body.id)
    const taking = await mayTake(t.app.db, open, { id: boss.id, name: '' })
    expect(taking.filter(({ userId }) => userId === ole.id).map(({ shiftId }) => shiftId)).toEqual([open[1]])
  })
  it('is offered, accepted and approved, notifies everybody concerned, and can be undone by a planner', async () => {
    const early = await plan(kari, comingDay(0, 1))
    const late = await plan(ole, comingDay(0, 2), t.types.late)
    const { status, body: swap } = await offer(kari, { shiftId: early.id, userId: ole.id, otherShiftId: late.id })
    expect([status, swap.status, swap.from.text]).toEqual([
      201,
      'offered',
      `Early 06:00–14:00 on ${dayInWords(comingDay(0, 1))}`,
    ])
    expect(await lastTold(ole)).toBe('Some kari offers you a swap')
    // the offerer cannot answer, the planner cannot decide yet, others do not see it
    expect((await answer(kari, swap.id, true)).status).toBe(409)
    expect((await decide(swap.id, true)).status).toBe(409)
    expect((await answer(stranger, swap.id, true)).status).toBe(404)
    expect((await t.api('GET', '/swaps', undefined, stranger.token)).body.total).toBe(0)

    expect((await answer(ole, swap.id, true)).body.status).toBe('accepted')
    expect(await lastTold(kari)).toBe('Some ole accepts your swap')
    expect(await lastTold(boss)).toBe('Approve a swap of Some kari and Some ole?')
    expect(await holders(comingDay(0, 1), comingDay(0, 2))).toEqual([kari.id, ole.id])
    expect((await decide(swap.id, true)).body).toMatchObject({ status: 'done', decidedBy: 'Some boss', may: [] })
    expect(await holders(comingDay(0, 1), comingDay(0, 2))).toEqual([ole.id, kari.id])
    expect([await lastTold(kari), await lastTold(ole)]).toEqual(['Your swap is approved', 'Your swap is approved'])
    expect((await decide(swap.id, true)).status).toBe(409)

    const { body: batches } = await t.api('GET', '/batches')
    expect(batches.items[0]).toMatchObject({ by: 'Some boss', made: 2, removed: 2 })
    expect((await t.api('POST', `/batches/${batches.items[0].id}/undo`, {})).status).toBe(200)
    expect(await holders(comingDay(0, 1), comingDay(0, 2))).toEqual([kari.id, ole.id])
  })
  it('can exchange two shifts at the same time, or give one away for nothing', async () => {
    const [mine, theirs] = [await plan(kari, comingDay(0, 4)), await plan(ole, comingDay(0, 4))]
    const { body: even } = await offer(kari, { shiftId: mine.id, userId: ole.id, otherShiftId: theirs.id })
    await answer(ole, even.id, true)
    expect((await decide(even.id, true)).status).toBe(200)
    const gift = await plan(kari, comingDay(0, 5))
    const { body: swap } = await offer(kari, { shiftId: gift.id, userId: ole.id })
    await answer(ole, swap.id, true)
    expect((await decide(swap.id, true)).body.status).toBe('done')
    expect(await holders(comingDay(0, 5))).toEqual([ole.id])
  })
  it('needs no approval if the setting says so', async () => {
    await t.api('PATCH', '/settings', { swaps: 'agree' })
    const shift = await plan(kari, comingDay(1, 1))
    const { body: swap } = await offer(kari, { shiftId: shift.id, userId: ole.id })
    expect((await answer(ole, swap.id, true)).body.status).toBe('done')
    expect(await holders(comingDay(1, 1))).toEqual([ole.id])
    await t.api('PATCH', '/settings', { swaps: 'approve' })
  })
  it('becomes void when one of its shifts changes, and both people are notified', async () => {
    const shift = await plan(kari, comingDay(1, 3))
    const { body: swap } = await offer(kari, { shiftId: shift.id, userId: ole.id })
    await answer(ole, swap.id, true)
    await t.api('PATCH', `/${shift.id}`, { endTime: '13:00' })
    expect(await lastTold(kari)).toBe(`The swap of Early 06:00–14:00 on ${dayInWords(comingDay(1, 3))} is void`)
    expect(await lastTold(ole)).toBe(`The swap of Early 06:00–14:00 on ${dayInWords(comingDay(1, 3))} is void`)
    const { status, body } = await decide(swap.id, true)
    expect([status, body.message]).toEqual([409, 'This swap is void, because one of its shifts changed'])
    expect(await holders(comingDay(1, 3))).toEqual([kari.id])
  })
  it('is void when a shift was changed directly in the database, even before the worker has run', async () => {
    const shift = await plan(kari, comingDay(1, 4))
    const { body: swap } = await offer(kari, { shiftId: shift.id, userId: ole.id })
    await t.app.db.update(shifts).set({ status: 'draft' }).where(eq(shifts.id, shift.id))
    expect((await answer(ole, swap.id, true)).body.message).toBe(
      'One of the shifts was changed or has begun: the swap is void',
    )
    await voidSwaps(t.app.db)
    const { body } = await t.api('GET', '/swaps', undefined, kari.token)
    expect(body.items.find(({ id }: { id: number }) => id === swap.id)).toMatchObject({
      status: 'void',
      message: `Early 06:00–14:00 on ${dayInWords(comingDay(1, 4))} was changed`,
    })
  })
  it('becomes void when one of its people leaves, even if it was offered to everybody', async () => {
    const [giver, taker] = [await t.somebody(['calendar:shift:read'], 'giver'), await t.somebody([], 'taker')]
    for (const { id } of [giver, taker])
      await t.app.db.update(users).set({ departmentId: t.departmentId }).where(eq(users.id, id))
    const leaves = ({ id }: Person) =>
      t.call('DELETE', '/api/auth/users', { token: t.admin, body: { id, heir: boss.id } })
    const given = await plan(giver, comingDay(1, 5))
    const { body: toTaker } = await offer(giver, { shiftId: given.id, userId: taker.id })
    expect((await answer(taker, toTaker.id, true)).status).toBe(200)
    expect((await leaves(taker)).status).toBe(204)
    await voidSwaps(t.app.db)
    expect((await decide(toTaker.id, true)).status).toBe(409)
    expect(await lastTold(giver)).toBe(`The swap of Early 06:00–14:00 on ${dayInWords(comingDay(1, 5))} is void`)
    const { body: toAll } = await offer(giver, { shiftId: given.id, userId: null })
    expect((await leaves(giver)).status).toBe(204)
    expect((await answer(ole, toAll.id, true)).status).toBe(409)
    expect(await holders(comingDay(1, 5))).toEqual([null])
  })
  it('is declined, refused or withdrawn; then the shift can be offered again', async () => {
    const shift = await plan(kari, comingDay(2, 1))
    const wanted = { shiftId: shift.id, userId: ole.id }
    const { body: first } = await offer(kari, wanted)
    expect((await offer(kari, wanted)).body.message).toBe('This shift is offered already: withdraw that swap first')
    expect((await answer(ole, first.id, false, { message: 'Dentist' })).body).toMatchObject({
      status: 'declined',
      message: 'Dentist',
    })
    const { body: second } = await offer(kari, wanted)
    await answer(ole, second.id, true)
    expect((await decide(second.id, false)).body.status).toBe('refused')
    const { body: third } = await offer(kari, wanted)
    expect((await t.api('POST', `/swaps/${third.id}/withdraw`, {}, ole.token)).status).toBe(409)
    expect((await t.api('POST', `/swaps/${third.id}/withdraw`, {}, kari.token)).body.status).toBe('withdrawn')
    expect(await holders(comingDay(2, 1))).toEqual([kari.id])
  })
  it('is offered to everybody who is free at that time; the first to accept gets the shift', async () => {
    const mine = await plan(kari, comingDay(3, 3))
    await plan(ole, comingDay(3, 3), t.types.late, { startTime: '13:00' }) // ole is not free at that time
    const { status, body: swap } = await offer(kari, { shiftId: mine.id, userId: null })
    expect([status, swap.toAll, swap.to.userId]).toEqual([201, true, null])
    const offered = `Some kari offers a shift: Early 06:00–14:00 on ${dayInWords(comingDay(3, 3))}`
    expect([await lastTold(boss), await lastTold(ole)]).not.toContain(undefined)
    expect(await lastTold(boss)).toBe(offered)
    expect(await lastTold(ole)).not.toBe(offered)
    // only colleagues see the offer; nobody can decline it for all, and the giver cannot accept it
    const may = async (who: Person) =>
      (await t.api('GET', '/swaps', undefined, who.token)).body.items.find(({ id }: { id: number }) => id === swap.id)
        ?.may
    expect([await may(boss), await may(kari), await may(stranger)]).toEqual([['answer'], ['withdraw'], undefined])
    expect((await answer(stranger, swap.id, true)).status).toBe(404)
    expect((await answer(kari, swap.id, true)).status).toBe(409)
    expect((await answer(boss, swap.id, false)).status).toBe(409)
    expect((await answer(ole, swap.id, true)).body.message).toContain('Some ole has')

    const answers = await Promise.all([answer(boss, swap.id, true), answer(boss, swap.id, true)])
    expect(answers.map((one) => one.status).sort()).toEqual([200, 409])
    expect((await answer(ole, swap.id, true)).body.message).toBe('This swap is accepted already')
    expect(await lastTold(kari)).toBe('Some boss accepts your swap')
    expect((await t.api('GET', '/swaps', undefined, ole.token)).body.items).not.toContainEqual(
      expect.objectContaining({ id: swap.id }),
    )
    expect((await decide(swap.id, true)).body).toMatchObject({ status: 'done', toAll: true, to: { userId: boss.id } })
    expect((await holders(comingDay(3, 3))).sort()).toEqual([boss.id, ole.id].sort())
  })
  it('is refused if nobody is free, or if an offer to everybody asks for a shift in return', async () => {
    const mine = await plan(kari, comingDay(3, 4))
    const his = await plan(ole, comingDay(3, 4))
    await plan(boss, comingDay(3, 4))
    for (const id of t.people)
      await t.api('POST', '', { userId: id, date: comingDay(3, 4), shiftTypeId: t.types.early })
    const nobody = await offer(kari, { shiftId: mine.id, userId: null })
    expect([nobody.status, nobody.body.fields.userId]).toEqual([
      422,
      'Nobody else of the department is free at that time',
    ])
    const given = await offer(kari, { shiftId: mine.id, userId: null, otherShiftId: his.id })
    expect([given.status, given.body.fields.otherShiftId]).toEqual([422, 'Choose a colleague first'])
  })
  it('is refused for shifts of others, drafts, other departments and overlaps', async () => {
    const mine = await plan(kari, comingDay(2, 3))
    const draft = await plan(kari, comingDay(2, 4), t.types.early, { status: 'draft' })
    const his = await plan(ole, comingDay(2, 3))
    expect((await offer(kari, { shiftId: his.id, userId: ole.id })).status).toBe(404)
    expect((await offer(kari, { shiftId: draft.id, userId: ole.id })).status).toBe(422)
    expect((await offer(kari, { shiftId: mine.id, userId: stranger.id })).body.fields.userId).toContain(
      'another department',
    )
    const over = await offer(kari, { shiftId: mine.id, userId: ole.id })
    expect([over.status, over.body.message]).toEqual([
      409,
      `Some ole has Early 06:00–14:00 from ${dayInWords(comingDay(2, 3)).slice(4)}`,
    ])
  })
})

it('can be made by a planner without asking, if both shifts still have the versions that the planner saw', async () => {
  const [a, b] = [await plan(kari, comingDay(3, 1)), await plan(ole, comingDay(3, 1), t.types.late)]
  const wanted = { id: a.id, version: a.version, otherId: b.id, otherVersion: b.version }
  expect((await t.api('POST', '/exchange', { ...wanted, otherVersion: 9 })).status).toBe(409)
  expect((await t.api('POST', '/exchange', wanted)).body).toMatchObject({ made: 2, removed: 2 })
  expect(await lastTold(ole)).toBe(`Your shift: Early 06:00–14:00 on ${dayInWords(comingDay(3, 1))}`)
})

describe('wishes', () => {
  it('warn the planner, who sees them in the roster; others see only their own', async () => {
    const wish = { kind: 'rather-not', from: comingDay(5, 1), to: comingDay(8, 5), weekdays: [3], note: 'Choir' }
    const { status, body } = await t.api('POST', '/wishes', wish, kari.token)
    expect([status, body.kind]).toEqual([201, 'rather-not'])
    const refusal = await t.api('POST', '', {
      userId: kari.id,
      date: comingDay(5, 3),
      shiftTypeId: t.types.late,
      stopAtWarnings: true,
    })
    expect([refusal.status, refusal.body.message]).toEqual([
      409,
      `Some kari would rather not work on ${dayInWords(comingDay(5, 3)).slice(4)}: Choir`,
    ])
    expect(
      (
        await t.api('POST', '', {
          userId: kari.id,
          date: comingDay(5, 4),
          shiftTypeId: t.types.late,
          stopAtWarnings: true,
        })
      ).status,
    ).toBe(201)
    const seenBy = async (who: Person) =>
      (await t.api('GET', `/roster?from=${comingDay(5, 1)}&to=${comingDay(5, 7)}`, undefined, who.token)).body.wishes
        .length
    expect([await seenBy(boss), await seenBy(kari), await seenBy(ole)]).toEqual([1, 1, 0])
    const { body: other } = await t.api('POST', '/wishes', { ...wish, kind: 'cannot', note: 'Away' }, kari.token)
    const shift = { userId: kari.id, date: comingDay(6, 3), shiftTypeId: t.types.late, stopAtWarnings: true }
    // of two wishes, the one that weighs more
    expect((await t.api('POST', '', shift)).body.message).toMatch(/cannot work on .*: Away$/)
    await t.api('DELETE', '/wishes', { id: other.id }, kari.token)
    expect((await t.api('DELETE', '/wishes', { id: body.id }, ole.token)).status).toBe(404)
    expect((await t.api('DELETE', '/wishes', { id: body.id }, kari.token)).status).toBe(204)
  })
})
