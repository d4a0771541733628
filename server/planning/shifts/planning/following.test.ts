import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { decides, leavesOf, type Person } from '../../leaves/test/leaves.ts'
import { limits } from '../automations/ownShifts.ts'
import { openRoster, type Roster } from '../test/shifts.ts'
import { followRound, followSome } from './following.ts'
import { limits as published } from './publish.ts'

const PEOPLE = 55
const DAYS = 20
let t: Roster
let planner: Person
let first = 0
beforeAll(async () => {
  t = await openRoster(PEOPLE)
  planner = await t.somebody('admin', 'planner')
  first = t.freeDay()
})
afterAll(() => t.close())

const days = Array.from({ length: DAYS }, (_, n) => n)
const planned = (shiftTypeId: number, userIds = t.people) =>
  userIds.flatMap((userId) => days.map((n) => ({ userId, date: t.day(first + n), shiftTypeId })))
const change = (typeId: number, body: object) => t.api('PATCH', `/type/${typeId}`, body, planner.token)
const starts = async (typeId: number) =>
  Object.fromEntries(
    (
      await rows<{ start: number; n: number }>(
        t.app.db,
        sql`select start_minute as start, count(*)::int as n from shifts where shift_type_id = ${typeId}
          and deleted_at is null group by 1`,
      )
    ).map(({ start, n }) => [start, n]),
  )
const notices = (title: string) =>
  rows<{ userId: number; title: string; body: string }>(
    t.app.db,
    sql`select user_id as "userId", title, body from notifications where title like ${`%${title}%`} order by notification_id`,
  )
const some = () => t.app.db.transaction(followSome)
async function all(): Promise<void> {
  while (await some());
}
const progressOf = async (typeId: number) => (await t.api('GET', `/type/${typeId}`)).body.progress as number

describe('a changed type with more than a thousand future shifts', () => {
  it('answers at once; its shifts follow person by person, also after a crash, and each person hears of it once', async () => {
    const { early } = t.types
    const { body } = await t.api('POST', '/plan', { cells: planned(early), status: 'published' })
    expect(body.made).toBe(PEOPLE * DAYS)
    const saved = await change(early, { startTime: '05:00' })
    expect(saved).toMatchObject({ status: 200, body: { startTime: '05:00', shifts: 0, progress: 0 } })
    expect(await starts(early)).toEqual({ 360: PEOPLE * DAYS })
    await some() // open shifts
    await some()
    const begun = await starts(early)
    expect([begun[300]! > 0, begun[360]! > 0]).toEqual([true, true])
    const progress = await progressOf(early)
    expect([progress > 0, progress < 100]).toEqual([true, true])
    const crash = t.app.db.transaction(async (tx) => {
      await followSome(tx)
      throw new Error('a crash')
    })
    await expect(crash).rejects.toThrow('a crash')
    expect(await starts(early)).toEqual(begun)
    await followRound(t.app)
    await all()
    expect(await starts(early)).toEqual({ 300: PEOPLE * DAYS })
    expect(await progressOf(early)).toBe(100)
    const told = await notices('of your shifts changed')
    expect(told.map(({ userId }) => userId).toSorted()).toEqual(t.people.toSorted())
    expect(new Set(told.map(({ title }) => title))).toEqual(new Set([`${DAYS} of your shifts changed`]))
    expect(await notices('future shifts are updated')).toMatchObject([
      { userId: planner.id, title: `Early: ${PEOPLE * DAYS} future shifts are updated` },
    ])
  })

  it('begins again with another change, and with another name only, tells nobody', async () => {
    const { early } = t.types
    await change(early, { startTime: '05:30' })
    await some()
    await some()
    await change(early, { startTime: '05:00', name: 'Dawn' })
    await all()
    expect(await starts(early)).toEqual({ 300: PEOPLE * DAYS })
    const before = (await notices('of your shifts changed')).length
    await change(early, { name: 'Early' })
    await all()
    expect((await notices('of your shifts changed')).length).toBe(before)
    expect(await t.app.db.execute(sql`select from shifts where name = 'Dawn'`)).toHaveProperty('rows', [])
    expect((await change(early, { isActive: true })).body).toMatchObject({ shifts: 0, progress: 100 })
  })

  it('does not wait for a change that fails each time', async () => {
    const { early, late } = t.types
    await t.app.db.execute(sql`insert into shift_followings (shift_type_id, by_id, by, since, cursor, charged, updated_at)
      values (${late}, ${planner.id}, 'Nobody', now(), 2147483646, '5', '2020-01-01')`)
    await change(early, { startTime: '05:15' })
    for (let round = 0; round < 3; round++) await followRound(t.app)
    expect(await starts(early)).toEqual({ 315: PEOPLE * DAYS })
    await t.app.db.execute(sql`delete from shift_followings where shift_type_id = ${late}`)
    await change(early, { startTime: '05:00' })
    await all()
  })

  it('leaves shifts of a person that would overlap, and says whose', async () => {
    const { early, late } = t.types
    const [kari] = t.people
    await t.api('POST', '', { userId: kari, date: t.day(first + 3), shiftTypeId: late })
    await change(early, { endTime: '15:00' })
    await all()
    const ends = await rows<{ end: number; people: number }>(
      t.app.db,
      sql`select end_minute as end, count(distinct user_id)::int as people from shifts where shift_type_id = ${early}
        and deleted_at is null group by 1 order by 1`,
    )
    expect(ends).toEqual([
      { end: 840, people: 1 },
      { end: 900, people: PEOPLE - 1 },
    ])
    const [told] = (await notices('future shifts are updated')).slice(-1)
    expect(told!.body).toMatch(/stay as they were: Worker 000\./)
  })

  it('tells an approver once of the leaves that it charges anew', async () => {
    const l = leavesOf(t)
    const { early } = t.types
    const approver = await t.somebody([...decides, 'calendar:leave:read'], 'approver')
    await l.ask(planner, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: approver.id }] })
    await l.ask(planner, 'PATCH', 'types/7', { charge: 'hours', deductsBalance: false })
    const date = t.day(first + 5)
    const ids: number[] = []
    for (const userId of [t.people[1], t.people[PEOPLE - 1]]) {
      const { body } = await l.ask(planner, 'POST', 'requests', { userId, typeId: 7, startDate: date, endDate: date })
      await l.review(approver, body.id)
      ids.push(body.id)
    }
    const daysOf = async (id: number) => (await l.ask(planner, 'GET', `requests/${id}`)).body.days as number
    const before = await daysOf(ids[0]!)
    await change(early, { endTime: '06:00' })
    await all()
    expect(await daysOf(ids[0]!)).toBeLessThan(before)
    expect(await daysOf(ids[1]!)).toBe(await daysOf(ids[0]!))
    const told = (await notices('leaves take other days')).filter(({ userId }) => userId === approver.id)
    expect(told.map(({ title }) => title)).toEqual(['2 leaves take other days'])
  })
})

it('a publication of more shifts than the call may wait for is refused beside the last day', async () => {
  const span = { from: t.day(first + 30), to: t.day(first + 32) }
  const cells = t.people.slice(0, 2).map((userId) => ({ userId, date: span.from, shiftTypeId: t.types.late }))
  await t.api('POST', '/plan', { cells, status: 'draft' })
  const { most } = published
  published.most = 1
  try {
    const text = 'More than 1 drafts: publish them by department, or fewer days at once'
    for (const path of ['/publish/leaves', '/publish'])
      expect(await t.api('POST', path, span)).toMatchObject({ status: 422, body: { fields: { to: text } } })
    const one = await t.api('POST', '/publish', { ...span, userIds: t.people.slice(0, 1) })
    expect(one.body.published).toBe(1)
  } finally {
    published.most = most
  }
})

it('changed night hours follow in the same way, without a notification', async () => {
  const count = async () => (await rows(t.app.db, sql`select from notifications`)).length
  const settings = (body: object) => t.api('PATCH', '/settings', body, planner.token)
  const before = await rows(t.app.db, sql`select shift_id, weighted420 from shifts order by 1`)
  const saved = await settings({ nightTo: 5 })
  expect(saved.body.progress).toBe(0)
  const told = await count()
  await all()
  expect((await t.api('GET', '/settings')).body.progress).toBe(100)
  const after = await rows(t.app.db, sql`select shift_id, weighted420 from shifts order by 1`)
  expect(after).not.toEqual(before)
  expect(await count()).toBe(told + 1) // of who changed the settings
  await settings({ nightTo: 7 })
  await all()
  expect(await rows(t.app.db, sql`select shift_id, weighted420 from shifts order by 1`)).toEqual(before)
  expect((await settings({ restMinutes: 600 })).body.progress).toBe(100)
})

it('an automation that plans more than the call may wait for plans person by person, and is removed so', async () => {
  const { body: team } = await t.api('POST', '/team', {
    ...{ departmentId: t.departmentId, date: t.today, name: 'Many', memberIds: t.people },
  })
  const pattern = [t.types.night, null]
  const wanted = { name: 'Nights', teamId: team.id, pattern, startDate: t.day(first + 40), weeksAhead: 72, stagger: 1 }
  const { atOnce } = limits
  limits.atOnce = 1000
  try {
    const preview = await t.api('POST', '/automations/leaves', wanted, planner.token)
    expect(preview.body.total).toBe(0)
    const { status, body } = await t.api('POST', '/automations', wanted, planner.token)
    expect([status, body.progress, body.plannedTo]).toEqual([201, 0, null])
    expect((await t.api('POST', `/automations/id/${body.id}/run`, { to: t.day(100) })).status).toBe(422)
    await all()
    const planned = await rows<{ userId: number; first: string; n: number }>(
      t.app.db,
      sql`select user_id as "userId", min(date)::text as first, count(*)::int as n from shifts
        where automation_id = ${body.id} and deleted_at is null group by 1 order by 1`,
    )
    expect(planned).toHaveLength(PEOPLE)
    // each person begins a day after the previous one
    expect(planned.slice(0, 3).map((one) => one.first)).toEqual([40, 41, 40].map((n) => t.day(first + n)))
    const plain = (await t.api('GET', `/automations/id/${body.id}`)).body
    expect([plain.progress, plain.plannedTo]).toEqual([100, t.day(72 * 7 - 1)])
    const removed = await t.api('DELETE', '/automations', { id: body.id, version: plain.version }, planner.token)
    expect(removed.status).toBe(204)
    expect((await rows(t.app.db, sql`select from shifts where automation_id = ${body.id}`)).length).toBeGreaterThan(0)
    await all()
    expect(await rows(t.app.db, sql`select from shifts where automation_id = ${body.id}`)).toEqual([])
    const told = await notices('of your shifts are removed')
    expect(told.map(({ userId }) => userId).toSorted()).toEqual(t.people.toSorted())
  } finally {
    limits.atOnce = atOnce
  }
})
