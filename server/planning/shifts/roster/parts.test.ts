import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openRoster, type Roster } from '../test/shifts.ts'

let t: Roster
beforeAll(async () => {
  t = await openRoster(6)
})
afterAll(() => t.close())

const roster = (query: string, token?: string) =>
  t.api('GET', `/roster?from=2027-05-03&to=2027-05-09&${query}`, undefined, token)
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id).toSorted()

it('a roster in parts has each shift of the whole one once', async () => {
  const cells = t.people.map((userId) => ({ userId, date: '2027-05-04', shiftTypeId: t.types.early }))
  await t.api('POST', '/plan', { cells, status: 'draft' })
  await t.api('POST', '', { userId: null, date: '2027-05-05', shiftTypeId: t.types.late, departmentId: t.departmentId })
  const { body: whole } = await roster('')
  const { body: frame } = await roster('only=people')
  const parts = await Promise.all(
    [t.people.slice(0, 3), t.people.slice(3)].map((ids) => roster(`userIds=${ids.join()}`)),
  )
  expect(idsOf([...frame.shifts, ...parts.flatMap(({ body }) => body.shifts)])).toEqual(idsOf(whole.shifts))
  expect(frame.people).toEqual(whole.people)
  expect(frame.shifts.map(({ userId }: { userId: number | null }) => userId)).toEqual([null])
  expect(frame.drafts).toEqual(t.people.map((userId) => ({ userId, count: 1 })))
  const me = await t.somebody(['calendar:shift:read'])
  const { body: mine } = await roster(`userIds=${t.people.join()}`, me.token)
  expect([mine.people, mine.shifts, mine.drafts]).toEqual([[], [], []])
})

it('people with a shift in another department are its guests', async () => {
  await t.app.db.execute(sql`insert into departments (name) values ('Elsewhere')`)
  const [elsewhere] = await rows<{ id: number }>(
    t.app.db,
    sql`select department_id as id from departments where name = 'Elsewhere'`,
  )
  const [guest] = t.people
  await t.api('POST', '', {
    userId: guest,
    date: '2027-05-06',
    shiftTypeId: t.types.early,
    departmentId: elsewhere!.id,
  })
  expect((await roster('only=people')).body.guests).toEqual([{ userId: guest, departmentId: elsewhere!.id }])
})

it('of more than 500 people is read in parts only', async () => {
  await t.app.db.execute(sql`insert into users (username, email, first_name, last_name, password_hash)
    select 'many' || n, 'many' || n || '@example.org', 'Many', n::text, '' from generate_series(1, 501) as n`)
  const refused = await roster('')
  expect([refused.status, refused.body.fields.userIds]).toEqual([422, expect.stringContaining('More than 500 people')])
  const { status, body } = await roster('only=people')
  expect([status, body.people.length > 501]).toEqual([200, true])
  const many = Array.from({ length: 501 }, (_, n) => n + 1)
  expect((await roster(`userIds=${many.join()}`)).status).toBe(422)
})
