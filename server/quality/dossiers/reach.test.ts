import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { remind } from './feedback/notify.ts'
import { openDossiers, type Person, scopes } from './test/dossiers.ts'

/** Rights to arrange teams open no dossier to whoever holds them. */
let d: Awaited<ReturnType<typeof openDossiers>>
let [lead, member]: Person[] = []
let team = 0
beforeAll(async () => {
  d = await openDossiers()
  lead = await d.person()
  member = await d.person()
  team = await d.team({ managerId: lead!.id })
  await d.join(member!, team)
  for (const visibility of ['manager', 'team'])
    await d.done(lead!, 'POST', '/feedbacks', { userId: member!.id, content: 'Secret', visibility })
})
afterAll(() => d.t.close())

const count = async (who: Person) => (await d.done(who, 'GET', '/feedbacks')).total
const people = (n: number) => Promise.all(Array.from({ length: n }, () => d.person()))
const told = async ({ id }: Person, text: string) =>
  (await rows(d.t.app.db, sql`select from notifications where user_id = ${id} and title like ${`%${text}%`}`)).length
const denied = { status: 403, body: { code: 'denied' } }
const from = '2026-01-02'

test('somebody who arranges teams cannot become the manager or a teammate of a person with entries', async () => {
  const weak = await d.person()
  const own = (await d.done(weak, 'POST', '/teams', { name: 'Own', managerId: weak.id })).id
  const below = await d.team()
  await d.join(member!, below, { isAdditional: true })
  const { items } = await d.done(weak, 'GET', `/memberships?userId=${member!.id}&teamId=${team}`)
  const add = (who: Person, teamId: number, first: string) =>
    d.ask(weak, 'POST', '/memberships', { userId: who.id, teamId, from: first, isAdditional: true })
  for (const answer of [
    await d.ask(weak, 'PATCH', `/teams/${team}`, { managerId: weak.id }),
    await d.ask(weak, 'PATCH', `/teams/${below}`, { parentId: own }),
    await d.ask(weak, 'DELETE', `/teams/${below}`, { replacementId: own }),
    await add(member!, own, from),
    await add(member!, own, '2999-01-01'),
    await add(weak, team, from),
    await d.ask(weak, 'PATCH', `/memberships/${items[0].id}`, { teamId: own }),
    await d.ask(weak, 'POST', `/memberships/${items[0].id}/move`, { teamId: own, from }),
  ])
    expect(answer).toMatchObject(denied)
  expect(await count(weak)).toBe(0)
  // others, whose manager is somebody else or nobody
  expect((await add(member!, await d.team(), from)).status).toBe(201)
})

test('nobody makes themselves the manager of people about whom nothing is written yet', async () => {
  const [weak, fresh, peer, other] = (await people(4)) as [Person, Person, Person, Person]
  const own = await d.team({ managerId: weak.id })
  const lost = await d.team({ managerId: peer.id, parentId: own })
  const free = await d.team()
  const member = await d.join(fresh, lost)
  const extra = await d.join(other, own, { isAdditional: true })
  const main = await d.join(other, await d.team({ managerId: peer.id }))
  const at = (teamId: number, more: object = {}) => ({ userId: fresh.id, teamId, from, isAdditional: true, ...more })
  const unlisted = await d.t.somebody(scopes)
  // the main team decides who is shown as the manager, and who gets follow-ups
  expect((await d.ask(weak, 'PATCH', `/memberships/${main.id}`, { isAdditional: true })).status).toBe(200)
  for (const answer of [
    await d.ask(weak, 'PATCH', `/teams/${lost}`, { managerId: weak.id }),
    await d.ask(weak, 'PATCH', `/teams/${lost}`, { managerId: null }),
    await d.ask(weak, 'DELETE', `/teams/${lost}`, { replacementId: own }),
    await d.ask(weak, 'POST', '/memberships', at(own)),
    await d.ask(weak, 'POST', '/memberships', at(own, { from: '2999-01-01' })),
    await d.ask(weak, 'PATCH', `/memberships/${member.id}`, { teamId: own }),
    await d.ask(weak, 'POST', `/memberships/${member.id}/move`, { teamId: own, from }),
    await d.ask(weak, 'POST', '/users', { userId: unlisted.id, teamId: own }),
    await d.ask(weak, 'PATCH', `/memberships/${extra.id}`, { isAdditional: false }),
  ])
    expect(answer, JSON.stringify(answer.body)).toMatchObject(denied)
  // whoever makes the sign-in of a person could sign in as them
  const letIn = (at: string) =>
    d.t.app.db.execute(sql`update users set let_in_by_id = ${weak.id}, let_in_at = ${at} where user_id = ${peer.id}`)
  await letIn(new Date().toISOString())
  expect(await d.ask(weak, 'POST', '/memberships', at(free))).toMatchObject({ status: 201 })
  expect(await d.ask(weak, 'PATCH', `/teams/${free}`, { managerId: peer.id })).toMatchObject({ status: 200 })
  const next = await d.team({ managerId: peer.id })
  const third = await d.person()
  expect(await d.ask(weak, 'POST', '/memberships', { ...at(next), userId: third.id })).toMatchObject(denied)
  await letIn('2020-01-01')
  expect(await d.ask(weak, 'POST', '/memberships', { ...at(next), userId: third.id })).toMatchObject({ status: 201 })
})

test('two changes at once, each harmless, make nobody the manager', async () => {
  const [weak, fresh] = (await people(2)) as [Person, Person]
  const team = await d.team()
  const answers = await Promise.all([
    d.ask(weak, 'PATCH', `/teams/${team}`, { managerId: weak.id }),
    d.ask(weak, 'POST', '/memberships', { userId: fresh.id, teamId: team, from }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).not.toEqual([200, 201])
})

test('a new manager reads entries from the appointment on, unless somebody who may read earlier ones appoints', async () => {
  const [arranger, old, fresh, next, author, who] = (await people(6)) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const team = await d.team({ managerId: old.id })
  await d.join(who, team)
  const write = async (fields: object = {}): Promise<number> =>
    (await d.done(author, 'POST', '/feedbacks', { userId: who.id, content: 'Said', visibility: 'manager', ...fields }))
      .id
  const reads = async (reader: Person) => {
    const { items } = await d.done(reader, 'GET', `/feedbacks?userId=${who.id}`)
    return items.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)
  }
  const appoint = (by: Person, manager: Person | null) =>
    d.done(by, 'PATCH', `/teams/${team}`, { managerId: manager?.id ?? null })
  const due = { followUpOn: '2026-01-01', followUpById: old.id }
  const earlier = await write(due)
  const hidden = await write({ visibility: 'private' })
  const draft = await write({ isDraft: true })
  await appoint(arranger, fresh)
  const later = await write()
  expect([await reads(old), await reads(fresh)]).toEqual([[], [later]])
  for (const path of [`/feedbacks/${earlier}`, `/users/${who.id}/export`])
    expect(JSON.stringify(await d.ask(fresh, path.endsWith('export') ? 'POST' : 'GET', path, {}))).not.toContain(
      `"id":${earlier}`,
    )
  // nobody is reminded of an entry that they may not read
  await remind(d.t.app)
  expect([await told(old, 'follow-up'), await told(fresh, 'follow-up'), await told(author, 'follow-up')]).toEqual([
    0, 0, 1,
  ])
  const refused = await d.ask(author, 'PATCH', `/feedbacks/${earlier}`, { mentions: [fresh.id] })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['mentions']])
  const audience = async (more: string) => {
    const { people } = await d.done(author, 'GET', `/audience?userId=${who.id}&visibility=manager${more}`)
    return people.some(({ id }: { id: number }) => id === fresh.id)
  }
  expect(await Promise.all([`&entryId=${earlier}`, `&entryId=${hidden}`, ''].map(audience))).toEqual([
    false,
    true,
    true,
  ])
  // entries that become public after the appointment are published then
  await d.done(author, 'PATCH', `/feedbacks/${hidden}`, { visibility: 'manager', mentions: [fresh.id] })
  await d.done(author, 'PATCH', `/feedbacks/${draft}`, { isDraft: false })
  expect(await reads(fresh)).toEqual([hidden, draft, later])
  // the present manager opens what they read themselves
  await appoint(fresh, next)
  expect([await reads(fresh), await reads(next)]).toEqual([[], [hidden, draft, later]])
  await appoint(d.admin, old)
  expect(await reads(old)).toEqual([earlier, hidden, draft, later])
  await appoint(old, next)
  expect(await reads(next)).toEqual([earlier, hidden, draft, later])
})

test('managers who are appointed or displaced, and their people, are notified without names', async () => {
  const [arranger, old, fresh, who] = (await people(4)) as [Person, Person, Person, Person]
  const team = await d.team({ managerId: old.id })
  const next = await d.team({ managerId: fresh.id })
  const membership = await d.join(who, team)
  await d.t.app.db.execute(sql`delete from notifications`)
  await d.done(arranger, 'POST', `/memberships/${membership.id}/move`, { teamId: next, from: '2999-01-01' })
  const found = await rows<{ id: number; title: string; body: string }>(
    d.t.app.db,
    sql`select user_id as id, title, body from notifications`,
  )
  expect(Object.fromEntries(found.map(({ id, title }) => [id, title]))).toEqual({
    [old.id]: 'You manage fewer people',
    [fresh.id]: 'You manage more people',
    [who.id]: 'Your manager changes',
  })
  const [{ name }] = (await rows(
    d.t.app.db,
    sql`select first_name || ' ' || last_name as name from users where user_id = ${arranger.id}`,
  )) as [{ name: string }]
  expect(found.every(({ body }) => body.includes(name))).toBe(true)
  await d.done(arranger, 'PATCH', `/teams/${next}`, { managerId: old.id })
  expect([await told(fresh, 'fewer'), await told(old, 'more'), await told(who, 'changes')]).toEqual([1, 1, 2])
})

test('whoever deletes an account cannot take over its teams and private files', async () => {
  const weak = await d.person([...scopes, 'users:user:delete'])
  const peer = await d.person()
  await d.join(member!, await d.team({ managerId: peer.id }), { isAdditional: true, from })
  const remove = (heir: number) => d.ask(weak, 'DELETE', '/api/auth/users', { id: peer.id, heir })
  expect(await remove(weak.id)).toMatchObject(denied)
  expect(await count(weak)).toBe(0)
  expect((await remove(lead!.id)).status).toBe(204)
  // the heir is a new manager, appointed by somebody who may not read
  expect([await count(lead!), await count(weak)]).toEqual([2, 0])
})

test('an heir who is in the team does not become somebody whom the caller manages', async () => {
  const weak = await d.person([...scopes, 'users:user:delete'])
  const [peer, heir] = (await people(2)) as [Person, Person]
  const above = await d.team({ managerId: weak.id })
  await d.join(heir, await d.team({ managerId: peer.id, parentId: above }))
  const answer = await d.ask(weak, 'DELETE', '/api/auth/users', { id: peer.id, heir: heir.id })
  expect(answer).toMatchObject(denied)
})

test('a reviewer of a team puts nobody into it, whose conversations they could read then', async () => {
  const [reviewer, agent, other] = (await people(3)) as [Person, Person, Person]
  const [reviewed, elsewhere] = [await d.team(), await d.team()]
  await d.t.app.db.execute(
    sql`insert into qc_reviewers (user_id, team_ids) values (${reviewer.id}, array[${reviewed}::int])`,
  )
  const { id } = await d.join(agent, elsewhere)
  const add = { userId: other.id, teamId: reviewed, from: '2020-01-01', isAdditional: true }
  for (const answer of [
    await d.ask(reviewer, 'POST', '/memberships', add),
    await d.ask(reviewer, 'PATCH', `/memberships/${id}`, { teamId: reviewed }),
    await d.ask(reviewer, 'DELETE', `/teams/${elsewhere}`, { replacementId: reviewed }),
  ])
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'denied', message: expect.stringContaining('You review') },
    })
  expect((await d.ask(other, 'POST', '/memberships', { ...add, userId: agent.id })).status).toBe(201)
})
