import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { remind } from './feedback/notify.ts'
import { openDossiers, type Person } from './test/dossiers.ts'

/** Entries, follow-ups and talks when managers, teams and people change between two steps. */
let d: Awaited<ReturnType<typeof openDossiers>>
beforeAll(async () => {
  d = await openDossiers()
})
afterAll(() => d.t.close())

const people = (n: number) => Promise.all(Array.from({ length: n }, () => d.person()))
const write = (author: Person, about: Person, fields: object = {}) =>
  d.done(author, 'POST', '/feedbacks', { userId: about.id, visibility: 'manager', content: 'said', ...fields })
const invite = (lead: Person, about: Person) =>
  d.done(lead, 'POST', '/talks', {
    ...{ userId: about.id, kind: 'one-to-one', title: 'Winter', heldOn: '2026-12-01', questions: ['How?'] },
  })
const prepare = (who: Person, id: number, isReady = true) =>
  d.done(who, 'PATCH', `/talks/${id}/answers`, { answers: [`${who.id} says`], isReady })
const status = async (who: Person, path: string) => (await d.ask(who, 'GET', path)).status
const told = async ({ id }: Person, text: string) =>
  (await rows(d.t.app.db, sql`select from notifications where user_id = ${id} and title like ${`%${text}%`}`)).length

test('a new manager of a team gets the follow-ups and the talks in preparation', async () => {
  const [old, fresh, author, who, other] = (await people(5)) as [Person, Person, Person, Person, Person]
  const team = await d.team({ managerId: old.id })
  await d.join(who, team)
  await d.join(other, team)
  const due = { followUpOn: '2999-01-01', followUpById: old.id }
  const shared = await write(author, who, due)
  const hidden = await write(old, who, { ...due, visibility: 'private' })
  const [waits, released] = [await invite(old, who), await invite(old, other)]
  await prepare(old, waits.id)
  for (const side of [old, other]) await prepare(side, released.id)
  await d.done(who, 'PATCH', `/talks/${waits.id}/answers`, { answers: ['meant for the old one'] })

  await d.done(d.admin, 'PATCH', `/teams/${team}`, { managerId: fresh.id })
  expect(await d.done(fresh, 'GET', `/feedbacks/${shared.id}`)).toMatchObject({ followUpBy: { id: fresh.id } })
  expect(await status(old, `/feedbacks/${shared.id}`)).toBe(404)
  expect(await d.done(old, 'GET', `/feedbacks/${hidden.id}`)).toMatchObject({ followUpBy: { id: old.id } })
  expect([await status(fresh, `/talks/${waits.id}`), await status(old, `/talks/${waits.id}`)]).toEqual([200, 404])
  expect([await told(fresh, 'new lead'), await told(who, 'new lead')]).toEqual([1, 1])
  // nobody counts as ready for the new lead, who cannot read answers to the former lead
  expect(await prepare(fresh, waits.id)).toMatchObject({ state: 'preparing', ready: [fresh.id] })
  expect((await d.done(fresh, 'GET', `/talks/${waits.id}`)).answers).toMatchObject([{ by: { id: fresh.id } }])
  // the new manager cannot read released answers of others
  expect([await status(fresh, `/talks/${released.id}`), await status(old, `/talks/${released.id}`)]).toEqual([404, 200])
})

test.each([
  'gets a manager of its own',
  'moves below another team',
])('follow-ups and talks pass to the new manager when a team without a manager %s', async (how) => {
  const [old, fresh, author, who] = (await people(4)) as [Person, Person, Person, Person]
  const [top, other] = [await d.team({ managerId: old.id }), await d.team({ managerId: fresh.id })]
  const team = await d.team({ parentId: top })
  await d.join(who, team)
  const { id } = await write(author, who, { followUpOn: '2999-01-01', followUpById: old.id })
  const talk = await invite(old, who)
  const change = how.startsWith('gets') ? { managerId: fresh.id } : { parentId: other }
  await d.done(d.admin, 'PATCH', `/teams/${team}`, change)
  expect(await d.done(fresh, 'GET', `/feedbacks/${id}`)).toMatchObject({ followUpBy: { id: fresh.id } })
  expect([await status(fresh, `/talks/${talk.id}`), await status(old, `/talks/${talk.id}`)]).toEqual([200, 404])
})

test('a person who remains the manager through another team keeps follow-ups and talks', async () => {
  const [old, fresh, author, who] = (await people(4)) as [Person, Person, Person, Person]
  const [main, extra] = [await d.team({ managerId: old.id }), await d.team({ managerId: old.id })]
  await d.join(who, main)
  await d.join(who, extra, { isAdditional: true })
  const entry = await write(author, who, { followUpOn: '2999-01-01', followUpById: old.id })
  await d.done(d.admin, 'PATCH', `/teams/${extra}`, { managerId: fresh.id })
  expect(await d.done(old, 'GET', `/feedbacks/${entry.id}`)).toMatchObject({ followUpBy: { id: old.id } })
})

test('people, readers and follow-ups of a deleted team pass to the replacement', async () => {
  const [old, fresh, author, who] = (await people(4)) as [Person, Person, Person, Person]
  const [gone, heir] = [await d.team({ managerId: old.id }), await d.team({ managerId: fresh.id })]
  await d.join(who, gone)
  const entry = await write(author, who, { followUpOn: '2999-01-01', followUpById: old.id })
  expect([await status(old, `/feedbacks/${entry.id}`), await status(fresh, `/feedbacks/${entry.id}`)]).toEqual([
    200, 404,
  ])
  await d.done(d.admin, 'DELETE', `/teams/${gone}`, { replacementId: heir })
  expect([await status(old, `/feedbacks/${entry.id}`), await status(fresh, `/feedbacks/${entry.id}`)]).toEqual([
    404, 200,
  ])
  expect(await d.done(fresh, 'GET', `/feedbacks/${entry.id}`)).toMatchObject({ followUpBy: { id: fresh.id } })
})

test('the present manager, or else the author, gets a follow-up whose person may no longer read the entry', async () => {
  const [old, fresh, author, moved, alone] = (await people(5)) as [Person, Person, Person, Person, Person]
  const [before, after] = [await d.team({ managerId: old.id }), await d.team({ managerId: fresh.id })]
  const due = { followUpOn: '2026-01-01', followUpById: old.id }
  for (const who of [moved, alone]) await d.join(who, before)
  await write(author, moved, due)
  await write(author, alone, due)
  await d.done(d.admin, 'POST', '/memberships', {
    ...{ userId: moved.id, teamId: after, from: '2026-02-01', endsPrevious: true },
  })
  const { items } = await d.done(d.admin, 'GET', `/memberships?userId=${alone.id}`)
  await d.done(d.admin, 'PATCH', `/memberships/${items[0].id}`, { to: '2026-02-01' })
  await remind(d.t.app)
  await remind(d.t.app)
  expect([await told(old, 'follow-up'), await told(fresh, 'follow-up'), await told(author, 'follow-up')]).toEqual([
    0, 1, 1,
  ])
})

test('a draft that mentions a former manager is refused at publication', async () => {
  const [old, fresh, author, who] = (await people(4)) as [Person, Person, Person, Person]
  const team = await d.team({ managerId: old.id })
  await d.join(who, team)
  const draft = await write(author, who, { isDraft: true, mentions: [old.id] })
  await d.done(d.admin, 'PATCH', `/teams/${team}`, { managerId: fresh.id })
  const refused = await d.ask(author, 'PATCH', `/feedbacks/${draft.id}`, { isDraft: false })
  expect([refused.status, refused.body.fields.mentions]).toEqual([422, expect.stringMatching(/^Some .+ may not read/)])
  expect(await status(fresh, `/feedbacks/${draft.id}`)).toBe(404)
  await d.done(author, 'PATCH', `/feedbacks/${draft.id}`, { isDraft: false, mentions: [fresh.id] })
  expect([await status(fresh, `/feedbacks/${draft.id}`), await status(old, `/feedbacks/${draft.id}`)]).toEqual([
    200, 404,
  ])
  expect([await told(old, 'mentioned'), await told(fresh, 'mentioned')]).toEqual([0, 1])
})

test('a narrowed visibility removes a mentioned person’s access completely', async () => {
  const [author, mate, who] = (await people(3)) as [Person, Person, Person]
  const team = await d.team()
  for (const member of [mate, who]) await d.join(member, team)
  const { id } = await write(author, who, { visibility: 'team', mentions: [mate.id] })
  expect([await status(mate, `/feedbacks/${id}`), await told(mate, 'mentioned')]).toEqual([200, 1])
  const refused = await d.ask(author, 'PATCH', `/feedbacks/${id}`, { visibility: 'subject-and-manager' })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['mentions']])
  await d.done(author, 'PATCH', `/feedbacks/${id}`, { visibility: 'subject-and-manager', mentions: [] })
  expect(await status(mate, `/feedbacks/${id}`)).toBe(404)
  expect((await d.done(mate, 'GET', `/feedbacks?userId=${who.id}`)).total).toBe(0)
  expect((await d.done(mate, 'GET', `/users/${who.id}/timeline?kind=feedback`)).items).toEqual([])
})

test('entries about a deleted person stay for author and administrators, and talks with them are closed', async () => {
  const [author, lead, who] = (await people(3)) as [Person, Person, Person]
  await d.join(who, await d.team({ managerId: lead.id }))
  const entry = await write(author, who, { visibility: 'subject-and-manager' })
  const talk = await invite(lead, who)
  await prepare(who, talk.id)
  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  await d.done(d.admin, 'DELETE', '/api/auth/users', { id: who.id })
  const after = today()
  const read = await Promise.all([author, d.admin, lead].map((one) => status(one, `/feedbacks/${entry.id}`)))
  // the membership ends today, which is its last day: the manager may read until midnight
  expect(read).toEqual([200, 200, 200])
  const { items } = await d.done(d.admin, 'GET', `/memberships?userId=${who.id}`)
  expect(items).toHaveLength(1)
  expect([before, after]).toContain(items[0].to)
  expect(await d.done(lead, 'GET', `/talks/${talk.id}`)).toMatchObject({ state: 'closed', answers: [] })
  const refused = await d.ask(author, 'POST', '/feedbacks', { userId: who.id, visibility: 'team', content: 'late' })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['userId']])
  // the author may still correct the text; nobody is notified
  await d.done(author, 'PATCH', `/feedbacks/${entry.id}`, { content: 'corrected' })
  const list = await d.done(d.admin, 'GET', '/users?withGone=true&itemsPerPage=100')
  expect(list.items.find(({ id }: Person) => id === who.id)).toMatchObject({ isGone: true })
})

test('after a membership ends, both sides finish their talk, and the new manager cannot read it', async () => {
  const [lead, fresh, who] = (await people(3)) as [Person, Person, Person]
  await d.join(who, await d.team({ managerId: lead.id }))
  const next = await d.team({ managerId: fresh.id })
  const { id } = await invite(lead, who)
  await prepare(lead, id)
  await d.done(d.admin, 'POST', '/memberships', {
    ...{ userId: who.id, teamId: next, from: '2026-02-01', endsPrevious: true },
  })
  expect(await prepare(who, id)).toMatchObject({ state: 'released', lead: { id: lead.id } })
  expect(await status(fresh, `/talks/${id}`)).toBe(404)
  expect(await d.done(lead, 'PATCH', `/talks/${id}`, { goals: ['Rest'] })).toMatchObject({ state: 'closed' })
})

test('a talk with the heir is closed, and the answers of the deleted lead stay unread', async () => {
  const [leaver, who] = (await people(2)) as [Person, Person]
  const { id } = await invite(leaver, who)
  await prepare(leaver, id)
  await d.done(d.admin, 'DELETE', '/api/auth/users', { id: leaver.id, heir: who.id })
  expect(await d.done(who, 'GET', `/talks/${id}`)).toMatchObject({ state: 'closed', answers: [] })
})

test('a released talk of a deleted lead is closed, and the heir cannot read it', async () => {
  const [leaver, heir, who] = (await people(3)) as [Person, Person, Person]
  const { id } = await invite(leaver, who)
  for (const side of [leaver, who]) await prepare(side, id)
  await d.done(d.admin, 'DELETE', '/api/auth/users', { id: leaver.id, heir: heir.id })
  expect([await status(heir, `/talks/${id}`), (await d.done(who, 'GET', `/talks/${id}`)).state]).toEqual([
    404,
    'closed',
  ])
})

test('a membership moves with its position, kind and last day', async () => {
  const who = await d.person()
  const [a, b, main] = [await d.team(), await d.team(), await d.team()]
  const { id: positionId } = await d.done(d.admin, 'POST', '/positions', { name: 'Mover' })
  await d.join(who, main)
  const fields = { positionId, isAdditional: true, to: '2026-12-31' }
  const member = await d.join(who, a, fields)
  const move = (body: object) => d.ask(d.admin, 'POST', `/memberships/${member.id}/move`, body)
  const refusals = await Promise.all([
    move({ teamId: a, from: '2026-05-01' }),
    move({ teamId: b, from: '2027-01-01' }),
    move({ teamId: main, from: '2026-05-01' }),
  ])
  expect(refusals.map(({ status, body }) => [status, Object.keys(body.fields)])).toEqual([
    [422, ['teamId']],
    [422, ['from']],
    [409, ['from']],
  ])
  const moved = (await move({ teamId: b, from: '2026-05-01' })).body
  expect(moved).toMatchObject({ team: { id: b }, position: { id: positionId }, from: '2026-05-01', ...restOf(fields) })
  expect(await d.done(d.admin, 'GET', `/memberships/${member.id}`)).toMatchObject({ team: { id: a }, to: '2026-04-30' })
  // a move on the first day changes the membership itself
  const again = await d.done(d.admin, 'POST', `/memberships/${moved.id}/move`, { teamId: a, from: '2026-05-01' })
  expect(again).toMatchObject({ id: moved.id, team: { id: a }, from: '2026-05-01' })
})
const restOf = ({ positionId: _, ...rest }: Record<string, unknown>) => rest

test('closed dossiers are listed separately, with the time when their texts were erased', async () => {
  const who = await d.person()
  await d.done(d.admin, 'DELETE', `/users/${who.id}`, {})
  const closed = async () =>
    (await d.done(d.admin, 'GET', '/users?isClosed=true&itemsPerPage=100')).items.find(
      ({ id }: Person) => id === who.id,
    )
  expect(await closed()).toMatchObject({ closedAt: expect.any(String), erasedAt: null })
  await d.done(d.admin, 'POST', `/users/${who.id}/erasure`, { reason: 'Asked for' })
  expect(await closed()).toMatchObject({ erasedAt: expect.any(String) })
  const open = await d.done(d.admin, 'GET', '/users?itemsPerPage=100')
  expect(open.items.some(({ id }: Person) => id === who.id)).toBe(false)
})
