import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits as notes } from '../notes.ts'
import { openRoster, type Roster } from '../test/shifts.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(8)
})
afterAll(() => t.close())

const freeDay = () => t.freeDay(20)
const count = async (from: string, to = from) => (await t.api('GET', `?from=${from}&to=${to}`)).body.total as number
const cells = (n: number, type: number, people = t.people) =>
  people.map((userId) => ({ userId, date: t.day(n), shiftTypeId: type }))

describe('a plan of many shifts', () => {
  it('is previewed with its conflicts, without changes', async () => {
    const n = freeDay()
    const [kari, ole] = t.people
    await t.api('POST', '', { userId: kari, date: t.day(n), shiftTypeId: t.types.night })
    const wanted = { cells: cells(n, t.types.night, [kari!, ole!]) }
    const { status, body } = await t.api('POST', '/preview', wanted)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      batchId: null,
      made: 2,
      conflicts: [{ userId: kari, kind: 'overlap', refuses: true }],
    })
    expect(body.hours.map(({ hours }: { hours: number }) => hours)).toEqual([9, 9])
    expect(await count(t.day(n))).toBe(1)
  })
  it('is all or nothing: one impossible shift refuses the whole plan, and the error names this shift', async () => {
    const n = freeDay()
    await t.api('POST', '', { userId: t.people[3], date: t.day(n), shiftTypeId: t.types.early })
    const { status, body } = await t.api('POST', '/plan', { cells: cells(n, t.types.early) })
    expect([status, body.message]).toEqual([409, expect.stringContaining('Worker 003 has Early')])
    expect(await count(t.day(n))).toBe(1)
  })
  it('replaces the shifts that the planner saw, and is refused if they have changed', async () => {
    const n = freeDay()
    const { body: old } = await t.api('POST', '', { userId: t.people[0], date: t.day(n), shiftTypeId: t.types.early })
    await t.api('PATCH', `/${old.id}`, { endTime: '13:00', version: 1 })
    const wanted = { cells: cells(n, t.types.late), remove: [{ id: old.id, version: 1 }] }
    const stale = await t.api('POST', '/plan', wanted)
    expect([stale.status, stale.body.current.version]).toEqual([409, 2])
    expect(await count(t.day(n))).toBe(1)
    const done = await t.api('POST', '/plan', { ...wanted, remove: [{ id: old.id, version: 2 }] })
    expect([done.status, done.body.made, done.body.removed]).toEqual([201, 8, 1])
  })
  it('is undone completely, which restores the removed shifts', async () => {
    const n = freeDay()
    const { body: old } = await t.api('POST', '', { userId: t.people[0], date: t.day(n), shiftTypeId: t.types.early })
    const { body } = await t.api('POST', '/plan', {
      cells: cells(n, t.types.late),
      remove: [{ id: old.id, version: 1 }],
    })
    const undone = await t.api('POST', `/batches/${body.batchId}/undo`, {})
    expect(undone).toMatchObject({
      status: 200,
      body: { made: 8, removed: 1, undoneBy: expect.stringContaining('Some') },
    })
    const { items } = (await t.api('GET', `?date=${t.day(n)}`)).body
    expect(items).toMatchObject([{ id: old.id, name: 'Early' }])
    expect((await t.api('POST', `/batches/${body.batchId}/undo`, {})).status).toBe(409)
  })
  it('of a single shift can be undone too: undo reverts the last change', async () => {
    const n = freeDay()
    const last = async () => (await t.api('GET', '/batches')).body.items[0]
    const [one] = cells(n, t.types.late)
    const { body: planned } = await t.api('POST', '/plan', { cells: [one] })
    expect(await last()).toMatchObject({ id: planned.batchId, made: 1, removed: 0, undoneAt: null })
    const { from, to, into } = { from: t.day(n), to: t.day(n), into: t.day(freeDay()) }
    const { body: copied } = await t.api('POST', '/copy', { from, to, into })
    expect(await last()).toMatchObject({ id: copied.batchId, made: 1 })
    await t.api('DELETE', '', { userId: one!.userId, date: t.day(n) })
    const removed = await last()
    expect(removed).toMatchObject({ made: 0, removed: 1 })
    for (const { id } of [removed, { id: copied.batchId }])
      expect((await t.api('POST', `/batches/${id}/undo`, {})).status).toBe(200)
    expect([await count(t.day(n)), await count(into)]).toEqual([1, 0])
  })
  it('cannot be undone after one of its shifts was changed', async () => {
    const n = freeDay()
    const { body } = await t.api('POST', '/plan', { cells: cells(n, t.types.late) })
    const [first] = (await t.api('GET', `?date=${t.day(n)}`)).body.items
    await t.api('PATCH', `/${first.id}`, { endTime: '21:00' })
    const undone = await t.api('POST', `/batches/${body.batchId}/undo`, {})
    expect([undone.status, undone.body.current.id]).toEqual([409, first.id])
    expect(await count(t.day(n))).toBe(8)
  })
  it('of two managers for the same week is applied once; the other manager gets a conflict', async () => {
    const n = freeDay()
    const wanted = { cells: [...cells(n, t.types.early), ...cells(n + 1, t.types.early)] }
    const both = await Promise.all([t.api('POST', '/plan', wanted), t.api('POST', '/plan', wanted)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.current.conflicts).toHaveLength(16)
    expect(await count(t.day(n), t.day(n + 1))).toBe(16)
  })
  it('waits for a simultaneous edit of a shift that it replaces; only one of the two is applied', async () => {
    const [kari, ole] = t.people
    const from = freeDay()
    for (let n = 0; n < 8; n++) {
      const date = t.day(from + 2 * n)
      const { body: shift } = await t.api('POST', '', { userId: kari, date, shiftTypeId: t.types.early })
      const { id, version } = shift
      const answers = await Promise.all([
        t.api('PATCH', `/${id}`, { version, userId: ole }),
        t.api('POST', '/plan', {
          cells: [kari, ole].map((userId) => ({ userId, date, shiftTypeId: t.types.early })),
          remove: [{ id, version }],
        }),
      ])
      expect(answers.map(({ status }) => status)).toSatisfy(([edit, plan]) =>
        edit === 200 ? plan === 409 : plan === 201 && /^4(04|09)$/.test(`${edit}`),
      )
    }
  })
  it('is applied despite warnings of short rest and holidays', async () => {
    const [kari] = t.people
    await t.api('POST', '', { userId: kari, date: '2027-05-16', shiftTypeId: t.types.late })
    const { body } = await t.api('POST', '/plan', {
      cells: [{ userId: kari, date: '2027-05-17', shiftTypeId: t.types.early }],
    })
    expect(
      body.conflicts.map(({ kind, refuses }: { kind: string; refuses: boolean }) => [kind, refuses]).sort(),
    ).toEqual([
      ['holiday', false],
      ['rest', false],
    ])
  })
})

describe('drafts', () => {
  it('are all published, and all unpublished unless one has changed', async () => {
    const n = freeDay()
    const day = { from: t.day(n), to: t.day(n) }
    await t.api('POST', '/plan', { cells: cells(n, t.types.early), status: 'draft' })
    const states = async () =>
      new Set((await t.api('GET', `?date=${t.day(n)}`)).body.items.map(({ status }: { status: string }) => status))
    const { body } = await t.api('POST', '/publish', day)
    expect([body.published, body.people, await states()]).toEqual([8, 8, new Set(['published'])])
    const undone = await t.api('POST', `/batches/${body.batchId}/undo`, {})
    expect([undone.status, undone.body.published, await states()]).toEqual([200, 8, new Set(['draft'])])
    expect((await t.api('POST', `/batches/${body.batchId}/undo`, {})).status).toBe(409)
    const { body: again } = await t.api('POST', '/publish', day)
    const [first] = (await t.api('GET', `?date=${t.day(n)}`)).body.items
    await t.api('PATCH', `/${first.id}`, { endTime: '13:00' })
    const late = await t.api('POST', `/batches/${again.batchId}/undo`, {})
    expect([late.status, late.body.current.id, await states()]).toEqual([409, first.id, new Set(['published'])])
  })
})

describe('cover in another department', () => {
  it('has the zone of that department, counts there, and keeps the department when it changes', async () => {
    const [kari] = t.people
    const { body: york } = await t.call('POST', '/api/auth/departments', { token: t.admin, body: { name: 'New York' } })
    const place = { departmentId: york.id, country: null, region: null, timeZone: 'America/New_York' }
    await t.call('PATCH', '/api/event-calendar/workplaces', { token: t.admin, body: place })
    const wanted = { userId: kari, date: '2027-08-10', shiftTypeId: t.types.early, departmentId: york.id }
    const { body: shift } = await t.api('POST', '', wanted)
    const there = { departmentId: york.id, timeZone: 'America/New_York' }
    expect(shift).toMatchObject({ ...there, userId: kari, startsAt: '2027-08-10T10:00:00.000Z' })
    const { body: later } = await t.api('PATCH', `/${shift.id}`, { startTime: '07:00' })
    expect(later).toMatchObject({ ...there, startsAt: '2027-08-10T11:00:00.000Z' })
    const at = async (departmentId: number) =>
      (await t.api('GET', `?date=2027-08-10&departmentId=${departmentId}`)).body.items.length
    expect([await at(york.id), await at(t.departmentId)]).toEqual([1, 0])
    expect((await t.api('POST', '', { ...wanted, departmentId: 999_999 })).body.fields).toHaveProperty('departmentId')
  })
})

describe('a copied week', () => {
  it('keeps the weekdays in each person’s time zone, for several copies, even across a clock change', async () => {
    const [kari] = t.people
    await t.api('POST', '', { userId: kari, date: '2029-03-13', shiftTypeId: t.types.night })
    await t.api('POST', '', { userId: kari, date: '2029-03-17', shiftTypeId: t.types.early, endTime: '12:00' })
    const wanted = { from: '2029-03-12', to: '2029-03-18', into: '2029-03-19', times: 2 }
    expect((await t.api('POST', '/copy/preview', wanted)).body).toMatchObject({ made: 4, batchId: null })
    expect((await t.api('POST', '/copy', wanted)).body).toMatchObject({ made: 4, conflicts: [] })
    const { items } = (await t.api('GET', '?from=2029-03-19&to=2029-04-01')).body
    expect(items.map(({ date, startsAt, endTime }: Record<string, string>) => [date, startsAt, endTime])).toEqual([
      ['2029-03-20', '2029-03-20T21:00:00.000Z', '06:00'],
      ['2029-03-24', '2029-03-24T05:00:00.000Z', '12:00'],
      ['2029-03-27', '2029-03-27T20:00:00.000Z', '06:00'],
      ['2029-03-31', '2029-03-31T04:00:00.000Z', '12:00'],
    ])
    expect((await t.api('POST', '/copy', wanted)).status).toBe(409)
    expect((await t.api('POST', '/copy', { ...wanted, into: '2029-03-15' })).status).toBe(422)
  })
})

describe('a shift team', () => {
  it('is valid from its day on, until a team of the same name succeeds it', async () => {
    const [a, b, c] = t.people
    const base = { departmentId: t.departmentId, name: 'Red' }
    const first = await t.api('POST', '/team', { ...base, date: '2027-06-01', memberIds: [a, b] })
    expect(first.status).toBe(201)
    await t.api('POST', '/team', { ...base, date: '2027-07-01', memberIds: [b, c] })
    const members = async (date: string) =>
      (await t.api('GET', `/team?departmentId=${t.departmentId}&date=${date}`)).body.items.map(
        ({ memberIds }: { memberIds: number[] }) => memberIds,
      )
    expect(await members('2027-05-31')).toEqual([])
    expect(await members('2027-06-15')).toEqual([[a, b]])
    expect(await members('2027-08-01')).toEqual([[b, c]])
    expect((await t.api('POST', '/team', { ...base, date: '2027-07-01' })).status).toBe(409)
  })
  it('gets the same shift by applySameShiftsToTeam, all or nothing, and loses it the same way', async () => {
    const [, b, c] = t.people
    const wanted = { userId: b, date: '2027-07-10', shiftTypeId: t.types.late, applySameShiftsToTeam: true }
    const { body: other } = await t.api('POST', '', { userId: c, date: '2027-07-10', shiftTypeId: t.types.late })
    const refused = await t.api('POST', '', wanted)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Worker 002')])
    expect(await count('2027-07-10')).toBe(1)
    await t.api('DELETE', '', { id: other.id, version: 1 })
    expect(await t.api('POST', '', wanted)).toMatchObject({ status: 201, body: { userId: b, made: 2 } })
    const path = `/team/${t.departmentId}/${t.types.late}/2027-07-10`
    expect((await t.api('GET', path)).body.members.map(({ id }: { id: number }) => id)).toEqual([b, c])
    const gone = { userId: c, date: '2027-07-10', applySameShiftsToTeam: true }
    expect((await t.api('DELETE', '', gone)).status).toBe(204)
    expect(await count('2027-07-10')).toBe(0)
  })
  it('plans everybody of two teams once, also a person who is in both', async () => {
    const [a, b, c] = t.people
    const blue = { departmentId: t.departmentId, name: 'Blue', date: '2027-07-01', memberIds: [b, a] }
    expect((await t.api('POST', '/team', blue)).status).toBe(201)
    const wanted = { userId: b, date: '2027-07-12', shiftTypeId: t.types.late, applySameShiftsToTeam: true }
    expect((await t.api('POST', '', wanted)).body).toMatchObject({ made: 3 })
    const { items } = (await t.api('GET', '?date=2027-07-12')).body
    expect(items.map(({ userId }: { userId: number }) => userId).toSorted()).toEqual([a, b, c].toSorted())
    expect((await t.api('DELETE', '', { userId: b, date: '2027-07-12', applySameShiftsToTeam: true })).status).toBe(204)
    expect(await count('2027-07-12')).toBe(0)
  })
  it('is required for applySameShiftsToTeam', async () => {
    const wanted = { userId: t.people[7], date: '2027-07-10', shiftTypeId: t.types.late, applySameShiftsToTeam: true }
    expect((await t.api('POST', '', wanted)).body.fields).toHaveProperty('applySameShiftsToTeam')
  })
})

describe('publishing', () => {
  it('turns drafts into shifts and notifies each person once', async () => {
    const n = freeDay()
    const me = await t.somebody([])
    await t.api('POST', '/plan', {
      cells: [...cells(n, t.types.early, [me.id]), ...cells(n + 1, t.types.early, [me.id])],
    })
    expect((await t.api('GET', '/next', undefined, me.token)).body.total).toBe(0)
    const { body } = await t.api('POST', '/publish', { from: t.day(n), to: t.day(n + 1) })
    expect(body).toMatchObject({ published: 2, people: 1 })
    const told = await t.call('GET', '/api/employee-controller/notifications', { token: me.token })
    expect(told.body.items).toMatchObject([{ reason: 'shifts', title: '2 shifts are planned for you' }])
    expect((await t.api('POST', '/publish', { from: t.day(n), to: t.day(n + 1) })).body.published).toBe(0)
  })
})

describe('notes', () => {
  it('are added to a person’s day and deleted again', async () => {
    const [kari] = t.people
    const { status, body } = await t.api('POST', '/note', { userId: kari, date: t.day(1), content: 'Has the keys' })
    expect(status).toBe(201)
    expect((await t.api('GET', `/note?date=${t.day(1)}`)).body.items).toMatchObject([
      { content: 'Has the keys', userId: kari },
    ])
    expect((await t.api('DELETE', '/note', { id: body.id, version: 9 })).status).toBe(409)
    expect((await t.api('DELETE', `/note/${body.id}`)).status).toBe(204)
    expect((await t.api('GET', `/note?date=${t.day(1)}`)).body.total).toBe(0)
  })
  it('are refused rather than cut when there are too many', async () => {
    const [kari] = t.people
    for (const content of ['One', 'Two']) await t.api('POST', '/note', { userId: kari, date: t.day(2), content })
    const { most } = notes
    notes.most = 1
    try {
      const { status, body } = await t.api('GET', `/note?date=${t.day(2)}`)
      expect([status, body.message]).toEqual([422, 'More than 1 notes: choose fewer days or people'])
    } finally {
      notes.most = most
    }
    expect((await t.api('GET', `/note?date=${t.day(2)}`)).body.total).toBe(2)
  })
})

describe('a range', () => {
  it('that ends before its start, or is ten years long, is refused', async () => {
    const [kari] = t.people
    expect((await t.api('GET', `/user/${kari}?from=2027-02-01&to=2027-01-01`)).status).toBe(422)
    expect((await t.api('GET', `/user/${kari}?from=2027-01-01&to=2037-01-01`)).status).toBe(422)
    expect((await t.api('GET', '/roster?from=2027-01-01&to=2027-12-31')).status).toBe(422)
  })
})
