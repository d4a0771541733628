import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifications } from '../../access/notifications/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { workplaces } from '../calendar/tables.ts'
import { awayBetween } from './days/absences.ts'
import { decides, leavesOf, type Person, takes } from './test/leaves.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let chief: Person
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  chief = await person('admin', 'chief')
  await t.app.db.insert(workplaces).values({ country: 'NO', timeZone: 'Europe/Oslo' })
})
afterAll(() => t.close())

const person = async (...who: Parameters<TestApp['somebody']>) => l.joined(await t.somebody(...who))
const worker = (name?: string) => person(takes, name)
/** Expects that the ledger of each leave matches its status, and that no balance is below zero. */
async function expectSound({ id }: Person): Promise<void> {
  const wrong = await rows(
    t.app.db,
    sql`select r.leave_id, r.status, r.halves, coalesce(sum(x.halves), 0)::int as held from leaves r
            left join leave_ledger x on x.leave_id = r.leave_id where r.user_id = ${id} group by r.leave_id
      having coalesce(sum(x.halves), 0) <> case when r.status in ('pending', 'approved') then -r.halves else 0 end`,
  )
  expect(wrong).toEqual([])
  const overdrawn = await rows(
    t.app.db,
    sql`select l.year from leave_ledger l join leave_types t on t.leave_type_id = l.leave_type_id and t.deducts_balance
      where l.user_id = ${id} group by l.year, l.leave_type_id having sum(l.halves) < 0`,
  )
  expect(overdrawn).toEqual([])
}

describe('a request', () => {
  it('needs only the right to request, reserves its days, and is visible to its person', async () => {
    const kari = await worker('kari')
    expect((await l.balance(kari, 2027)).balance).toBe(25)
    const made = await l.take(kari, '2027-02-01', '2027-02-05', { reason: 'Skiing' })
    expect(made).toMatchObject({
      status: 201,
      body: { days: 5, status: 'pending', startPart: 'full', endPart: 'full', reason: 'Skiing', mayReview: false },
    })
    expect(await l.balance(kari, 2027)).toMatchObject({ balance: 20, pending: 5, used: 0, granted: 25 })
    expect((await l.ask(kari, 'GET', `requests/users/${kari.id}`)).body).toMatchObject({
      total: 1,
      items: [{ id: made.body.id }],
    })
    expect((await l.ask(kari, 'GET', `requests/${made.body.id}`)).body.reason).toBe('Skiing')
    const odd = await worker()
    expect((await l.ask(odd, 'GET', `requests/${made.body.id}`)).status).toBe(404)
    expect((await l.ask(odd, 'GET', `requests/users/${kari.id}`)).status).toBe(403)
    await expectSound(kari)
  })
  it('is charged by the holidays and weekends of the workplace', async () => {
    const eve = await worker()
    // 17 May 2027 is a Monday, and also Whit Monday
    expect((await l.take(eve, '2027-05-14', '2027-05-18')).body.days).toBe(2)
    expect(await l.take(await worker(), '2027-05-17')).toMatchObject({
      status: 422,
      body: { fields: { startDate: 'Nothing to take: these are all holidays and weekends' } },
    })
  })
  it('is charged to each year separately', async () => {
    const nils = await worker()
    expect((await l.take(nils, '2027-12-30', '2028-01-04')).body.days).toBe(4)
    expect((await l.balance(nils, 2027)).pending).toBe(2)
    expect((await l.balance(nils, 2028)).pending).toBe(2)
    await expectSound(nils)
  })
  it('accepts half days; two halves of one day can be adjacent', async () => {
    const ola = await worker()
    expect((await l.take(ola, '2027-02-02', '2027-02-02', { startPart: 'morning' })).body.days).toBe(0.5)
    expect((await l.take(ola, '2027-02-02', '2027-02-02', { startPart: 'afternoon' })).status).toBe(201)
    expect((await l.balance(ola, 2027)).balance).toBe(24)
  })
  it.each([
    ['encloses another', '2027-03-01', '2027-03-31', {}],
    ['lies within another', '2027-03-09', '2027-03-09', {}],
    ['shares an end', '2027-03-10', '2027-03-12', {}],
    ['is half of a day that is taken', '2027-03-10', '2027-03-10', { startPart: 'afternoon' }],
  ])('that %s is a conflict, and names it', async (name, from, to, more) => {
    const per = await worker()
    const { body } = await l.take(per, '2027-03-08', '2027-03-10')
    expect(await l.take(per, from, to, more), name).toMatchObject({
      status: 409,
      body: {
        fields: { startDate: expect.stringMatching(/ 8.*10 Mar 2027 is pending already$/) },
        current: { id: body.id },
      },
    })
    await l.ask(per, 'POST', 'cancellations', { requestId: body.id })
    expect((await l.take(per, from, to, more)).status, 'what is cancelled is no obstacle').toBe(201)
  })
  it.each([
    ['endDate', { startDate: '2027-02-10', endDate: '2027-02-09' }, 400],
    ['endDate', { startDate: '2027-01-01', endDate: '2036-12-31' }, 400],
    ['startDate', { startDate: '2027-02-29', endDate: '2027-03-01' }, 400],
    ['startDate', { startDate: '1827-02-01', endDate: '2027-03-01' }, 400],
    ['endPart', { startDate: '2027-02-10', endDate: '2027-02-10', startPart: 'morning', endPart: 'full' }, 400],
    ['startPart', { startDate: '2027-02-10', endDate: '2027-02-11', startPart: 'morning' }, 400],
    ['endPart', { startDate: '2027-02-10', endDate: '2027-02-11', endPart: 'afternoon' }, 400],
    ['endDate', { startDate: '2027-02-01', endDate: '2027-03-31' }, 422],
    ['document', { typeId: 3, startDate: '2027-02-01', endDate: '2027-02-12' }, 422],
    ['userId', { startDate: '2027-02-01', endDate: '2027-02-01', userId: 99_999 }, 422],
  ])('is refused beside %s: %j', async (field, body, status) => {
    const answer = await l.ask(chief, 'POST', 'requests', { typeId: 1, ...body })
    expect(answer).toMatchObject({ status, body: { fields: { [field]: expect.any(String) } } })
  })
  it('takes 29 February where there is one', async () => {
    const lea = await worker()
    expect((await l.take(lea, '2028-02-29')).body).toMatchObject({ days: 1, startDate: '2028-02-29' })
  })
  it('for somebody else needs the permission to change entitlements', async () => {
    const ada = await worker()
    const liv = await worker()
    expect((await l.take(ada, '2027-02-01', '2027-02-01', { userId: liv.id })).status).toBe(403)
    expect((await l.take(chief, '2027-02-01', '2027-02-01', { userId: liv.id })).body.userId).toBe(liv.id)
  })
  it('previews its charge and its approvers', async () => {
    const ida = await worker()
    const asked = { typeId: 1, startDate: '2027-12-30', endDate: '2028-01-04' }
    expect((await l.ask(ida, 'POST', 'requests/preview', asked)).body).toMatchObject({
      days: 4,
      years: [
        { year: 2027, days: 2, before: 25, after: 23 },
        { year: 2028, days: 2, before: 25, after: 23 },
      ],
      holidays: [],
      weekend: 2,
      problems: {},
    })
    const long = await l.ask(ida, 'POST', 'requests/preview', {
      ...asked,
      startDate: '2027-06-01',
      endDate: '2027-09-01',
    })
    expect(long.body.problems.endDate).toMatch(/^25 days left in 2027; this takes/)
    expect((await l.ask(ida, 'GET', `requests/users/${ida.id}`)).body.total).toBe(0)
  })
})

describe('a decision', () => {
  it('is made by approvers only, never by the person, who is notified', async () => {
    const boss = await person([...takes, ...decides], 'boss')
    const other = await t.somebody(decides, 'other')
    const mia = await worker('mia')
    const departmentId = await l.department('Doors', boss, mia)
    const list = { departmentId, approvers: [{ userId: boss.id, substituteId: chief.id }] }
    expect((await l.ask(chief, 'POST', 'approvers', list)).status).toBe(201)
    const { body: leave } = await l.take(mia, '2027-02-01')
    expect((await l.review(other, leave.id)).body).toMatchObject({
      code: 'refused',
      message: 'You cannot decide this leave: ask Some boss or Some chief',
    })
    expect(await l.review(boss, leave.id)).toMatchObject({
      status: 200,
      body: { status: 'approved', reviewedByName: 'Some boss' },
    })
    const told = await t.app.db.select().from(notifications).where(eq(notifications.userId, mia.id))
    expect(told).toMatchObject([{ reason: 'leave', title: 'Some boss approved your leave', level: 'success' }])
    expect(await l.balance(mia, 2027)).toMatchObject({ pending: 0, used: 1, balance: 24 })

    const { body: own } = await l.take(boss, '2027-02-02')
    expect((await l.review(boss, own.id)).body.message).toBe('Nobody decides about their own leave')
    const asked = await t.app.db.select().from(notifications).where(eq(notifications.userId, chief.id))
    expect(
      asked.map(({ title }) => title),
      'the substitute decides about the approver',
    ).toContain('Some boss asks for leave')
    expect((await l.review(chief, own.id)).status).toBe(200)
    const { body: mine } = await l.take(chief, '2027-02-03')
    expect((await l.review(chief, mine.id)).status, 'an administrator neither').toBe(422)
  })
  it('releases the reserved days if it is a rejection', async () => {
    const tor = await worker()
    const { body } = await l.take(tor, '2027-12-30', '2028-01-04')
    const comment = 'The whole desk is away then'
    expect(
      (await l.ask(chief, 'PATCH', `requests/review/${body.id}`, { isApproved: false, comment })).body,
    ).toMatchObject({
      status: 'rejected',
      comment,
    })
    for (const year of [2027, 2028]) expect((await l.balance(tor, year)).balance).toBe(25)
    await expectSound(tor)
  })
  it('is made once: the second approver gets the decision of the first', async () => {
    const una = await worker()
    const { body } = await l.take(una, '2027-02-01')
    await l.review(chief, body.id)
    expect(await l.review(chief, body.id, false)).toMatchObject({
      status: 409,
      body: { message: 'Some chief approved it already', current: { status: 'approved' } },
    })
    await expectSound(una)
  })
  it('is listed while pending, with a filter for the caller’s own decisions', async () => {
    const lead = await t.somebody([...decides, 'calendar:leave:read'], 'lead')
    const kim = await worker('kim')
    const departmentId = await l.department('Night desk', kim)
    await l.ask(chief, 'POST', 'approvers', {
      departmentId: null,
      approvers: [{ userId: chief.id, substituteId: kim.id }],
    })
    await l.ask(chief, 'POST', 'approvers', { departmentId, approvers: [{ userId: lead.id }] })
    const { body } = await l.take(kim, '2027-02-01')
    const mine = async () => (await l.ask(lead, 'GET', 'requests/pending?mine=true')).body.items as LeaveRequest[]
    expect((await mine()).map(({ id, mayReview }) => [id, mayReview])).toEqual([[body.id, true]])
    expect((await l.ask(lead, 'GET', 'requests/pending')).body.total).toBeGreaterThan(1)
    await l.review(lead, body.id)
    expect(await mine()).toEqual([])
  })
})

describe('a cancellation', () => {
  it('withdraws an undecided request at once', async () => {
    const roy = await worker()
    const { body } = await l.take(roy, '2027-02-01', '2027-02-05')
    expect(await l.ask(roy, 'POST', 'cancellations', { requestId: body.id })).toMatchObject({
      status: 201,
      body: { status: 'approved', requestId: body.id },
    })
    expect((await l.ask(roy, 'GET', `requests/${body.id}`)).body.status).toBe('cancelled')
    expect((await l.balance(roy, 2027)).balance).toBe(25)
    expect((await l.review(chief, body.id)).body.message).toMatch(/cancelled it already$/)
    expect((await l.ask(roy, 'POST', 'cancellations', { requestId: body.id })).status).toBe(422)
  })
  it('of an approved leave is decided like a request, and returns the used days', async () => {
    const siv = await worker()
    const { body: leave } = await l.take(siv, '2027-12-30', '2028-01-04')
    await l.review(chief, leave.id)
    const { body } = await l.ask(siv, 'POST', 'cancellations', { requestId: leave.id, reason: 'Not going' })
    expect(body).toMatchObject({ status: 'pending', reason: 'Not going' })
    expect((await l.ask(siv, 'POST', 'cancellations', { requestId: leave.id })).status).toBe(409)
    expect((await l.balance(siv, 2027)).used).toBe(2)
    const decide = (isApproved: boolean) => l.ask(chief, 'PATCH', `cancellations/review/${body.id}`, { isApproved })
    expect((await decide(true)).body).toMatchObject({ status: 'approved', reviewedByName: 'Some chief' })
    expect(await decide(false)).toMatchObject({ status: 409, body: { message: 'Some chief approved it already' } })
    for (const year of [2027, 2028]) expect(await l.balance(siv, year)).toMatchObject({ used: 0, balance: 25 })
    expect((await l.ask(siv, 'GET', `requests/${leave.id}`)).body.status).toBe('cancelled')
    await expectSound(siv)
  })
  it('that is rejected leaves the leave unchanged', async () => {
    const ulf = await worker()
    const { body: leave } = await l.take(ulf, '2027-02-01')
    await l.review(chief, leave.id)
    const { body } = await l.ask(ulf, 'POST', 'cancellations', { requestId: leave.id })
    await l.ask(chief, 'PATCH', `cancellations/review/${body.id}`, { isApproved: false })
    expect((await l.ask(ulf, 'GET', `requests/${leave.id}`)).body).toMatchObject({
      status: 'approved',
      cancellation: { status: 'rejected' },
    })
    expect((await l.balance(ulf, 2027)).used).toBe(1)
  })
  it('is refused to others', async () => {
    const { body } = await l.take(await worker(), '2027-02-01')
    expect((await l.ask(await worker(), 'POST', 'cancellations', { requestId: body.id })).status).toBe(404)
  })
})

describe('the viewer of a request', () => {
  it('sees the absences of the department per day', async () => {
    const [ann, bo, cy] = [await worker('ann'), await worker('bo'), await worker('cy')]
    await l.department('Crew', ann!, bo!, cy!)
    await l.review(chief, (await l.take(ann!, '2027-04-12', '2027-04-13')).body.id)
    await l.take(bo!, '2027-04-13', '2027-04-14')
    const { body } = await l.take(cy!, '2027-04-09', '2027-04-14')
    const coverage = (await l.ask(chief, 'GET', `requests/${body.id}/coverage`)).body
    expect(coverage.team).toBe(3)
    expect(
      coverage.days.map((day: { off: unknown; away: { name: string; status: string }[] }) => [
        day.off,
        ...day.away.map(({ name, status }) => `${name} ${status}`),
      ]),
    ).toEqual([
      [null],
      ['Weekend'],
      ['Weekend'],
      [null, 'Some ann approved'],
      [null, 'Some ann approved', 'Some bo pending'],
      [null, 'Some bo pending'],
    ])
    const seen = await awayBetween(t.app.db, { from: '2027-04-13', to: '2027-04-13' })
    expect(seen.map(({ userId, status }) => [userId, status])).toEqual([[ann!.id, 'approved']])
    expect((await awayBetween(t.app.db, { from: '2027-04-13', to: '2027-04-13', pending: true })).length).toBe(3)
  })
  it('reads its reason, document and comment only as an approver', async () => {
    const eli = await worker()
    const reader = await t.somebody(['calendar:leave:read'])
    const { body } = await l.take(eli, '2027-02-01', '2027-02-01', { reason: 'Operation' })
    expect((await l.ask(reader, 'GET', `requests/${body.id}`)).body).toMatchObject({ reason: null, userId: eli.id })
    expect((await l.ask(chief, 'GET', `requests/${body.id}`)).body.reason).toBe('Operation')
    await l.ask(chief, 'PATCH', `requests/review/${body.id}`, { isApproved: true, comment: 'Get well' })
    await l.ask(eli, 'POST', 'cancellations', { requestId: body.id, reason: 'It was put off' })
    const told = { comment: null, cancellation: { reason: null, comment: null, status: 'pending' } }
    expect((await l.ask(reader, 'GET', `requests/${body.id}`)).body).toMatchObject(told)
    const own = { comment: 'Get well', cancellation: { reason: 'It was put off' } }
    expect((await l.ask(eli, 'GET', `requests/${body.id}`)).body).toMatchObject(own)
  })
  it('learns no kind of leave by balances, days, their order, a preview, a notice or the action log', async () => {
    const [gro, hal] = [await worker('gro'), await worker('hal')]
    const reader = await t.somebody([
      ...takes,
      'calendar:leave:read',
      'calendar:employee:update',
      'logs:action-logs:read',
    ])
    const kind = (
      await rows<{ id: number }>(t.app.db, sql`select leave_type_id as id from leave_types where code = 'paternity'`)
    )[0]!
    // from Friday to Monday: a kind that counts every day takes four, another two
    const ill = await l.take(gro!, '2027-03-05', '2027-03-08', { typeId: kind.id })
    const away = await l.take(hal!, '2027-03-05', '2027-03-08')
    expect([ill.status, away.status]).toEqual([201, 201])
    for (const who of [gro!, hal!])
      expect((await l.ask(reader, 'GET', `types/users/${who.id}`)).status, 'balances').toBe(403)
    const manager = await t.somebody(['calendar:leave:read', 'calendar:employee:read'])
    for (const who of [manager, chief]) expect((await l.ask(who, 'GET', `types/users/${gro!.id}`)).status).toBe(200)
    const daysFor = async (who: Person, query = '') =>
      (await l.ask(who, 'GET', `requests?from=2027-03-05&to=2027-03-08${query}`)).body.items
        .filter(({ userId }: LeaveRequest) => [gro!.id, hal!.id].includes(userId))
        .map(({ days, typeName }: LeaveRequest) => [typeName, days])
    expect(await daysFor(reader)).toEqual([
      ['Away', 4],
      ['Away', 4],
    ])
    const order = async (who: Person) =>
      (await l.ask(who, 'GET', 'requests?from=2027-03-05&to=2027-03-08&sort=days&direction=ASC')).body.items
        .map(({ userId }: LeaveRequest) => userId)
        .filter((id: number) => [gro!.id, hal!.id].includes(id))
    expect([await order(reader), await order(manager)], 'the order of the days').toEqual([
      [gro!.id, hal!.id],
      [hal!.id, gro!.id],
    ])
    const wanted = { typeId: 1, startDate: '2027-03-05', endDate: '2027-03-05', userId: gro!.id }
    const preview = (await l.ask(reader, 'POST', 'requests/preview', wanted)).body
    expect([preview.years[0].before, preview.problems.startDate]).toEqual([null, expect.stringMatching(/^Away /)])
    const clash = await l.ask(reader, 'POST', 'requests', wanted)
    expect([clash.status, JSON.stringify(clash.body)]).toEqual([409, expect.not.stringMatching(/patern/i)])
    await l.review(chief, ill.body.id)
    const log = await t.call('GET', `/api/logs?resources=leave&resource_id=${ill.body.id}`, { token: reader.token })
    expect(log.body.items).toHaveLength(2)
    expect(JSON.stringify(log.body.items)).not.toMatch(/typeId|reason|comment|document|patern/i)
  })
  it('of another department reads none of these', async () => {
    const [own, other, fia] = [await t.somebody(decides), await t.somebody(decides), await worker()]
    const departmentId = await l.department('Watched', fia)
    await l.ask(chief, 'POST', 'approvers', { departmentId, approvers: [{ userId: own.id }] })
    const { body } = await l.take(fia, '2027-02-01', '2027-02-01', { reason: 'Operation' })
    const reasonFor = async (who: Person) => (await l.ask(who, 'GET', `requests/${body.id}`)).body.reason
    expect([await reasonFor(own), await reasonFor(other)]).toEqual(['Operation', null])
    await l.review(own, body.id)
    expect([await reasonFor(own), await reasonFor(other)]).toEqual(['Operation', null])
  })
})

describe('lists', () => {
  it('filter by day, month and people, and separate past from future leaves', async () => {
    const [x, y] = [await worker('xena'), await worker('yrsa')]
    await l.grant(x!, 2026)
    const old = (await l.take(x!, '2026-01-28', '2026-02-03')).body.id
    await l.review(chief, old)
    const gone = (await l.take(x!, '2026-02-10')).body.id
    await l.review(chief, gone, false)
    await l.grant(y!, 2030)
    const next = (await l.take(y!, '2030-02-03', '2030-02-05')).body.id
    const ids = ({ body }: { body: { items: LeaveRequest[] } }) => body.items.map(({ id }) => id)
    expect(ids(await l.ask(chief, 'GET', 'requests?date=2026-02&sort=startDate&direction=ASC'))).toEqual([old, gone])
    expect(ids(await l.ask(chief, 'GET', 'requests?date=2026-02-03T10:00:00.000Z'))).toEqual([old])
    expect((await l.ask(chief, 'GET', 'requests?date=2026-02-30')).status).toBe(400)
    const ofUsers = (body: object) => l.ask(chief, 'POST', 'requests/users', body)
    expect(ids(await ofUsers({ usersIds: [x!.id, y!.id] }))).toEqual([old, next])
    expect(ids(await ofUsers({ usersIds: [x!.id, y!.id], date: '2030-02' }))).toEqual([next])
    expect((await ofUsers({ usersIds: [] })).body).toEqual({ items: [], total: 0 })
    const over = { usersIds: [x!.id, y!.id], page: 1 }
    expect(ids(await l.ask(chief, 'POST', 'requests/archive', over))).toEqual([gone, old])
    expect(ids(await l.ask(chief, 'POST', 'requests/archive', { page: 1 }))).toEqual(
      expect.arrayContaining([gone, old]),
    )
    expect(ids(await l.ask(x!, 'GET', `requests/users/${x!.id}/approved`))).toEqual([old])
    expect(ids(await l.ask(x!, 'GET', `requests/users/${x!.id}/upcoming`))).toEqual([])
    await l.review(chief, next)
    expect(ids(await l.ask(y!, 'GET', `requests/users/${y!.id}/upcoming`))).toEqual([next])
    expect(ids(await l.ask(chief, 'GET', 'requests?search=YRSA'))).toEqual([next])
  })
})
