import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, weekdayOf } from '../../calendar/days.ts'
import { leaves } from '../../leaves/tables.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { planAhead } from './planAhead.ts'
import { turnOf } from './runAutomation.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(6)
})
afterAll(() => t.close())

interface Seen {
  startTime: string
  id: number
  userId: number
  date: string
  name: string
  version: number
  edited: boolean
}
const seen = async (userId: number | undefined, from: string, to: string): Promise<Seen[]> =>
  (await t.api('GET', `/user/${userId}?from=${from}&to=${to}`)).body.items
/** Monday to Friday early, then a week of nights from Monday to Thursday. */
const twoWeeks = () => {
  const { early, night } = t.types
  return [early, early, early, early, early, null, null, night, night, night, night, null, null, null]
}
const monday = () => addDays(t.today, 8 - weekdayOf(t.today))

describe('a pattern', () => {
  it('repeats without end in both directions, and each person is offset from the previous one', () => {
    const pattern = { pattern: [1, 2, null], startDate: '2026-11-02', stagger: 1 }
    const days = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-01']
    expect(days.map((day) => turnOf(pattern, day, 0))).toEqual([1, 2, null, 1, null])
    expect(days.map((day) => turnOf(pattern, day, 1))).toEqual([null, 1, 2, null, 2])
  })
})

describe('an automation', () => {
  it('plans ahead when it is added; a second run adds nothing', async () => {
    const [kari] = t.people
    const start = monday()
    const { status, body } = await t.api('POST', '/automations', {
      name: 'Two weeks',
      userId: kari,
      pattern: twoWeeks(),
      startDate: start,
      weeksAhead: 6,
    })
    expect(status).toBe(201)
    const planned = await seen(kari, start, addDays(start, 27))
    expect(planned.map(({ date, name }) => `${weekdayOf(date)} ${name}`)).toEqual(
      [1, 2].flatMap(() => [
        ...[1, 2, 3, 4, 5].map((day) => `${day} Early`),
        ...[1, 2, 3, 4].map((day) => `${day} Night`),
      ]),
    )
    const run = { from: start, to: addDays(start, 27) }
    const again = await Promise.all([
      t.api('POST', `/automations/id/${body.id}/run`, run),
      t.api('POST', `/automations/id/${body.id}/run`, run),
    ])
    for (const { body: done } of again) expect(done).toMatchObject({ made: 0, changed: 0, removed: 0 })
    expect(await seen(kari, start, addDays(start, 27))).toEqual(planned)
  })
  it('never changes shifts that somebody edited, moved or removed', async () => {
    const [, ole] = t.people
    const start = monday()
    const { body: automation } = await t.api('POST', '/automations', {
      name: 'Ole',
      userId: ole,
      pattern: twoWeeks(),
      startDate: start,
    })
    const [first, second, third] = await seen(ole, start, addDays(start, 4))
    await t.api('PATCH', `/${first?.id}`, { endTime: '12:00' })
    await t.api('DELETE', '', { id: second?.id })
    await t.api('PATCH', `/${third?.id}`, { date: addDays(start, 6) })
    const changed = await t.api('PATCH', '/automations', {
      id: automation.id,
      version: 1,
      pattern: [t.types.late],
    })
    expect(changed.status).toBe(200)
    const after = await seen(ole, start, addDays(start, 6))
    expect(after.map(({ date, name }) => [date, name])).toEqual([
      [start, 'Early'],
      ...[3, 4, 5].map((n) => [addDays(start, n), 'Late']),
      [addDays(start, 6), 'Early'],
    ])
    expect((await t.api('PATCH', '/automations', { id: automation.id, version: 1, name: 'Stale' })).status).toBe(409)
  })
  it('does not replace shifts that were given to somebody else, even if removed later', async () => {
    const start = addDays(monday(), 140)
    const [anna, bo] = t.people
    const { early } = t.types
    const wanted = { pattern: [early], startDate: start, endDate: addDays(start, 1), weeksAhead: 1 }
    const { body: automation } = await t.api('POST', '/automations', {
      ...wanted,
      name: 'Both',
      departmentId: t.departmentId,
    })
    const run = () => t.api('POST', `/automations/id/${automation.id}/run`, { from: start, to: addDays(start, 1) })
    await run()
    const [annas] = await seen(anna, start, start)
    const [bos] = await seen(bo, start, start)
    await t.api('DELETE', '', { id: bos?.id })
    const given = await t.api('PATCH', `/${annas?.id}`, { userId: bo })
    expect(given).toMatchObject({ status: 200, body: { userId: bo, automationId: null, edited: true } })
    expect((await run()).body).toMatchObject({ made: 0, changed: 0, removed: 0, kept: { edited: 2 } })
    expect(await seen(anna, start, start)).toEqual([])
    expect((await seen(bo, start, start)).map(({ id }) => id)).toEqual([annas?.id])
    // given back: the shift is in its place again, only once
    await t.api('PATCH', `/${annas?.id}`, { userId: anna })
    await run()
    expect((await seen(anna, start, addDays(start, 1))).map(({ date }) => date)).toEqual([start, addDays(start, 1)])
    await t.api('DELETE', '/automations', { id: automation.id })
  })
  it('skips conflicting days, and previews them', async () => {
    const [, , eva] = t.people
    const start = monday()
    await t.api('POST', '', { userId: eva, date: addDays(start, 1), shiftTypeId: t.types.late, endTime: '23:00' })
    const { body } = await t.api('POST', '/automations', {
      name: 'Eva',
      userId: eva,
      pattern: [t.types.night],
      startDate: start,
      endDate: addDays(start, 3),
    })
    // the previous night ends before the late shift begins: only the day of the late shift is occupied
    expect((await seen(eva, start, addDays(start, 6))).map(({ name }) => name)).toEqual([
      'Night',
      'Late',
      'Night',
      'Night',
    ])
    const { body: preview } = await t.api('POST', `/automations/id/${body.id}/preview`, {})
    expect(preview).toMatchObject({ made: 0, changed: 0, removed: 0, kept: { overlap: 1 } })
  })
  it('plans no shifts on holidays on request', async () => {
    const [, , , ida] = t.people
    const { body } = await t.api('POST', '/automations', {
      name: 'Christmas',
      userId: ida,
      pattern: [t.types.early],
      startDate: `${Number(t.today.slice(0, 4)) + 1}-05-01`,
      onHoliday: 'skip',
      weeksAhead: 1,
    })
    const year = Number(t.today.slice(0, 4)) + 1
    const { body: run } = await t.api('POST', `/automations/id/${body.id}/preview`, {
      from: `${year}-05-01`,
      to: `${year}-05-31`,
    })
    // 1 and 17 May, and Ascension and Pentecost if they are in May
    expect(run.kept.holiday).toBeGreaterThanOrEqual(2)
    expect(run.made + run.kept.holiday).toBe(31)
  })
  it('of a department offsets each person by a step; deleting the automation deletes its unedited shifts', async () => {
    const start = addDays(monday(), 70)
    const { early } = t.types
    const { body } = await t.api('POST', '/automations', {
      name: 'All',
      departmentId: t.departmentId,
      pattern: [early, null, null],
      stagger: 1,
      startDate: start,
      weeksAhead: 12,
    })
    expect(body).toMatchObject({ who: 'Support', people: 6 })
    const on = async (n: number) =>
      (await t.api('POST', '/bulk', { ids: t.people, date: addDays(start, n) })).body.items.map(
        ({ userId }: { userId: number }) => t.people.indexOf(userId),
      )
    expect([(await on(0)).sort(), (await on(1)).sort(), (await on(2)).sort()]).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ])
    const mine = (await t.api('GET', `/automations/user/${t.people[5]}`)).body.items
    expect(mine.map(({ name }: { name: string }) => name)).toEqual(['All'])
    const [kept] = await seen(t.people[0], start, start)
    await t.api('PATCH', `/${kept?.id}`, { endTime: '13:00' })
    expect((await t.api('DELETE', '/automations', { id: body.id, version: body.version })).status).toBe(204)
    expect((await on(0)).length).toBe(1)
    expect(await on(1)).toEqual([])
  })
  it('of a team plans its present members, even if another team now has its name', async () => {
    const [a, b, c] = t.people
    const team = { departmentId: t.departmentId, name: 'Nights' }
    const { body: first } = await t.api('POST', '/team', { ...team, date: t.day(-10), memberIds: [a] })
    const wanted = { name: 'Nights', teamId: first.id, pattern: [t.types.night], startDate: t.day(300), weeksAhead: 1 }
    expect((await t.api('POST', '/automations', wanted)).body.people).toBe(1)
    await t.api('POST', '/team', { ...team, date: t.day(-1), memberIds: [b, c] })
    const peopleOf = async (id: number | undefined) =>
      (await t.api('GET', `/automations/user/${id}`)).body.items
        .filter(({ teamId }: { teamId: number | null }) => teamId === first.id)
        .map(({ people }: { people: number }) => people)
    expect([await peopleOf(a), await peopleOf(b), await peopleOf(c)]).toEqual([[], [2], [2]])
  })
  it('of a team with a successor plans the first team until the change and the successor afterwards', async () => {
    const [a, b, c] = t.people
    const start = addDays(t.today, 500)
    const team = { departmentId: t.departmentId, name: 'Days' }
    const { body: first } = await t.api('POST', '/team', { ...team, date: t.day(-10), memberIds: [a, b] })
    await t.api('POST', '/team', { ...team, date: addDays(start, 3), memberIds: [b, c] })
    const wanted = { name: 'Days', teamId: first.id, pattern: [t.types.early], startDate: start, weeksAhead: 1 }
    const { body } = await t.api('POST', '/automations', wanted)
    const span = { from: start, to: addDays(start, 5) }
    for (const made of [12, 0])
      expect((await t.api('POST', `/automations/id/${body.id}/run`, span)).body).toMatchObject({ ...span, made })
    const days = async (id: number | undefined) => (await seen(id, span.from, span.to)).map(({ date }) => date)
    const all = Array.from({ length: 6 }, (_, n) => addDays(start, n))
    expect([await days(a), await days(b), await days(c)]).toEqual([all.slice(0, 3), all, all.slice(3)])
  })
  it('replans its future shifts when it is changed, and plans nothing while it is switched off', async () => {
    const [, , kim] = t.people
    const start = addDays(t.today, 600)
    const wanted = { name: 'Far', userId: kim, pattern: [t.types.early], startDate: start, weeksAhead: 1 }
    const { body } = await t.api('POST', '/automations', wanted)
    const [to, later] = [addDays(start, 2), addDays(start, 450)]
    await t.api('POST', `/automations/id/${body.id}/run`, { from: start, to })
    await t.api('POST', `/automations/id/${body.id}/run`, { from: later, to: later })
    const { body: late } = await t.api('PATCH', '/automations', { id: body.id, pattern: [t.types.late, null] })
    expect((await seen(kim, start, to)).map(({ name }) => name)).toEqual(['Late', 'Late'])
    expect((await seen(kim, later, later)).map(({ name }) => name)).toEqual(['Late'])
    const off = { id: body.id, isActive: false, pattern: [t.types.early], version: late.version }
    expect((await t.api('PATCH', '/automations', off)).status).toBe(200)
    expect((await seen(kim, start, to)).map(({ name }) => name)).toEqual(['Late', 'Late'])
    const idle = { ...wanted, name: 'Idle', userId: t.people[3], startDate: t.today, isActive: false }
    expect((await t.api('POST', '/automations', idle)).body.plannedTo).toBe(null)
  })
  it('is refused without shifts in its pattern, without people, with two targets, or with an end before its start', async () => {
    const good = { name: 'x', userId: t.people[0], pattern: [t.types.early], startDate: t.today }
    expect((await t.api('POST', '/automations', { ...good, pattern: [null, null] })).body.fields).toHaveProperty(
      'pattern',
    )
    expect((await t.api('POST', '/automations', { ...good, userId: null })).status).toBe(422)
    expect((await t.api('POST', '/automations', { ...good, departmentId: t.departmentId })).status).toBe(422)
    expect((await t.api('POST', '/automations', { ...good, endDate: t.day(-1) })).body.fields).toHaveProperty('endDate')
    expect((await t.api('POST', '/automations', { ...good, pattern: [999] })).body.fields).toHaveProperty('pattern')
  })
  it('keeps planning ahead as time passes', async () => {
    const [, , , , liv] = t.people
    const { body } = await t.api('POST', '/automations', {
      name: 'Liv',
      userId: liv,
      pattern: [t.types.early],
      startDate: addDays(t.today, 1),
      endDate: addDays(t.today, 40),
      weeksAhead: 1,
    })
    expect(body.plannedTo).toBe(addDays(t.today, 6))
    const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000)
    await planAhead(t.app, inTwoWeeks)
    await planAhead(t.app, inTwoWeeks)
    const { body: after } = await t.api('GET', `/automations/id/${body.id}`)
    expect(after.plannedTo >= addDays(t.today, 19)).toBe(true)
    const planned = await seen(liv, addDays(t.today, 14), addDays(t.today, 20))
    expect(new Set(planned.map(({ date }) => date)).size).toBe(planned.length)
    expect(planned.length).toBeGreaterThanOrEqual(6)
  })
})

describe('a leave', () => {
  it('keeps its days free of automations and new shifts; half a day keeps the other half available', async () => {
    const [, , , , , per] = t.people
    const start = addDays(monday(), 28)
    const away = { userId: per!, typeId: 1, halves: 2, status: 'approved' } as const
    await t.app.db.insert(leaves).values([
      { ...away, startDate: start, endDate: addDays(start, 1), startPart: 'full', endPart: 'full' },
      { ...away, startDate: addDays(start, 2), endDate: addDays(start, 2), startPart: 'morning', endPart: 'morning' },
    ])
    const plan = (n: number, type: number) =>
      t.api('POST', '', { userId: per, date: addDays(start, n), shiftTypeId: type })
    const refused = await plan(0, t.types.early)
    expect([refused.status, refused.body.current.conflicts[0].kind]).toEqual([409, 'leave'])
    expect((await plan(2, t.types.early)).status).toBe(409)
    expect((await plan(2, t.types.late)).status).toBe(201)
    const { body } = await t.api('POST', '/automations', {
      name: 'Per',
      userId: per,
      pattern: [t.types.early],
      startDate: start,
      endDate: addDays(start, 3),
      weeksAhead: 8,
    })
    expect((await seen(per, start, addDays(start, 3))).map(({ name, startTime }) => [name, startTime])).toEqual([
      ['Early', '12:00'], // what the morning off leaves of it
      ['Late', '14:00'],
      ['Early', '06:00'],
    ])
    expect((await t.api('POST', `/automations/id/${body.id}/preview`, {})).body.kept.leave).toBe(2)
  })
})
