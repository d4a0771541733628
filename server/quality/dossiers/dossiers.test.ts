import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { remind } from './feedback/notify.ts'
import { openDossiers, scopes } from './test/dossiers.ts'

let d: Awaited<ReturnType<typeof openDossiers>>
beforeAll(async () => {
  d = await openDossiers()
})
afterAll(() => d.t.close())

const fieldsOf = (answer: { status: number; body: { fields?: object } }) => [
  answer.status,
  Object.keys(answer.body.fields ?? {}),
]

test('a person is in one main team at a time, and errors name their field', async () => {
  const [a, b] = [await d.team(), await d.team()]
  const who = await d.person()
  const add = (teamId: number, from: string, to?: string, more: object = {}) =>
    d.ask(d.admin, 'POST', '/memberships', { userId: who.id, teamId, from, ...(to && { to }), ...more })
  expect((await add(a, '2026-01-01', '2026-06-30')).status).toBe(201)
  expect(fieldsOf(await add(b, '2026-09-01', '2026-08-01'))).toEqual([422, ['to']])
  expect(fieldsOf(await add(b, '2026-06-30'))).toEqual([409, ['from']])
  expect(fieldsOf(await add(b, '2025-01-01', '2026-01-01'))).toEqual([409, ['to']])
  expect((await add(b, '2026-06-30', undefined, { isAdditional: true })).status).toBe(201)
  expect(fieldsOf(await add(b, '2026-08-01', undefined, { isAdditional: true }))).toEqual([409, ['from']])
  expect((await add(a, '2026-07-01')).status).toBe(201)
  const stranger = await d.t.somebody([])
  expect(
    fieldsOf(await d.ask(d.admin, 'POST', '/memberships', { userId: stranger.id, teamId: a, from: '2026-01-01' })),
  ).toEqual([422, ['userId']])
  const found = async (search: string) =>
    (await d.done(d.admin, 'GET', `/memberships?userId=${who.id}&search=${encodeURIComponent(search)}`)).items.length
  expect([await found('person'), await found('@example.org')], 'e-mail addresses are not searched').toEqual([3, 0])
  // an open membership ends on the day before the next one
  const c = await d.team()
  expect((await add(c, '2026-10-01', undefined, { endsPrevious: true })).status).toBe(201)
  const { items } = await d.done(d.admin, 'GET', `/memberships?userId=${who.id}&teamId=${a}`)
  expect(items[0]).toMatchObject({ from: '2026-07-01', to: '2026-09-30' })
  const { teams } = await d.done(d.admin, 'GET', '/chart?date=2026-09-30')
  const on = (id: number) => teams.find((team: { id: number }) => team.id === id).people.length
  expect([on(a), on(b), on(c)]).toEqual([1, 1, 0])
})

test('nothing can be above itself, and deleting a used row requires a replacement', async () => {
  const top = await d.team()
  const below = await d.team({ parentId: top })
  expect(fieldsOf(await d.ask(d.admin, 'PATCH', `/teams/${top}`, { parentId: below }))).toEqual([422, ['parentId']])
  const lead = await d.done(d.admin, 'POST', '/positions', { name: 'Lead' })
  const agent = await d.done(d.admin, 'POST', '/positions', { name: 'Agent', positionId: lead.id })
  const ring = await d.ask(d.admin, 'PATCH', `/positions/${lead.id}`, { positionId: agent.id })
  expect(fieldsOf(ring)).toEqual([422, ['positionId']])
  const who = await d.person()
  const member = await d.join(who, below, { positionId: agent.id })
  const gone = (path: string, body: object = {}) => d.ask(d.admin, 'DELETE', path, body)
  expect(fieldsOf(await gone(`/teams/${below}`))).toEqual([409, ['replacementId']])
  expect(fieldsOf(await gone(`/teams/${top}`, { replacementId: below }))).toEqual([422, ['replacementId']])
  expect((await gone(`/teams/${below}`, { replacementId: top })).status).toBe(204)
  expect(fieldsOf(await gone(`/positions/${agent.id}`))).toEqual([409, ['replacementId']])
  expect((await gone(`/positions/${agent.id}`, { replacementId: lead.id })).status).toBe(204)
  // the days before the merge stay with the former team
  const { items } = await d.done(d.admin, 'GET', `/memberships?userId=${who.id}&direction=DESC`)
  expect(items).toMatchObject([
    { team: { id: top }, to: null, position: { id: lead.id } },
    { id: member.id, team: { id: below }, position: { id: lead.id } },
  ])
  expect(items[1].to < items[0].from).toBe(true)
  const [type, spare] = [
    await d.done(d.admin, 'POST', '/types', { name: 'Praise' }),
    await d.done(d.admin, 'POST', '/types', { name: 'Concern' }),
  ]
  const fields = { userId: who.id, visibility: 'team', content: 'Calm', typeId: type.id }
  const entry = await d.done(d.admin, 'POST', '/feedbacks', fields)
  expect(fieldsOf(await gone(`/types/${type.id}`))).toEqual([409, ['replacementId']])
  expect((await gone(`/types/${type.id}`, { replacementId: spare.id })).status).toBe(204)
  expect((await d.done(d.admin, 'GET', `/feedbacks/${entry.id}`)).type).toEqual({ id: spare.id, name: 'Concern' })
  expect(fieldsOf(await d.ask(d.admin, 'POST', '/feedbacks', { ...fields }))).toEqual([422, ['typeId']])
})

test('a private version stays private after publication, and a changed entry must be acknowledged again', async () => {
  const [author, who] = [await d.person(), await d.person()]
  const fields = { userId: who.id, visibility: 'private', content: 'harsh' }
  const { id } = await d.done(author, 'POST', '/feedbacks', fields)
  await d.done(author, 'PATCH', `/feedbacks/${id}`, { visibility: 'subject-and-manager', content: 'kind' })
  const read = await d.done(who, 'GET', `/feedbacks/${id}`)
  expect([read.content, read.history, read.state]).toEqual(['kind', [], 'waiting'])
  expect((await d.done(author, 'GET', `/feedbacks/${id}`)).history).toMatchObject([{ content: 'harsh' }])
  const said = await d.done(who, 'POST', `/feedbacks/${id}/acknowledgement`, { answer: 'Thanks' })
  expect([said.state, said.answer]).toEqual(['acknowledged', 'Thanks'])
  await d.done(author, 'PATCH', `/feedbacks/${id}`, { content: 'kinder' })
  const mine = await d.done(who, 'GET', '/mine?waiting=true')
  expect([mine.waiting, mine.items[0].content]).toEqual([1, 'kinder'])
  // people who may not read the entry may read the action log
  const logged = await rows<{ text: string }>(
    d.t.app.db,
    sql`select coalesce(before::text, '') || coalesce(after::text, '') || coalesce(subject, '') as text from action_logs where resource = 'feedback'`,
  )
  expect(logged.length).toBeGreaterThan(3)
  expect(logged.map(({ text }) => text).join()).not.toMatch(/harsh|kind|Thanks|Some person/)
})

test('a follow-up sends one reminder, only to a person who may still read the entry', async () => {
  const [author, manager, who] = [await d.person(), await d.person(), await d.person()]
  const team = await d.team({ managerId: manager.id })
  await d.join(who, team)
  const fields = { userId: who.id, visibility: 'manager', content: 'x', followUpOn: '2026-01-01' }
  await d.done(author, 'POST', '/feedbacks', { ...fields, followUpById: manager.id })
  await d.done(author, 'POST', '/feedbacks', fields)
  await d.done(d.admin, 'PATCH', `/teams/${team}`, { managerId: null })
  await remind(d.t.app)
  await remind(d.t.app)
  const told = async (id: number) =>
    (await rows(d.t.app.db, sql`select from notifications where user_id = ${id} and title like '%follow-up%'`)).length
  expect([await told(author.id), await told(manager.id)]).toEqual([1, 0])
})

test('the timeline is paged by key across all kinds, and omits kinds without permission', async () => {
  const [who, reader] = [
    await d.person(),
    await d.person(scopes.filter((scope) => !/membership|chat-comment/.test(scope))),
  ]
  await d.join(who, await d.team())
  for (const n of [1, 2, 3]) {
    await d.done(d.admin, 'POST', '/feedbacks', { userId: who.id, visibility: 'team', content: `entry ${n}` })
    await d.done(d.admin, 'POST', `/api/qa-controller/dossier/${who.id}/comments`, { commentData: `comment ${n}` })
  }
  const walk = async () => {
    const seen: string[] = []
    let after = ''
    do {
      const page = await d.done(d.admin, 'GET', `/users/${who.id}/timeline?itemsPerPage=2${after && `&after=${after}`}`)
      seen.push(...page.items.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`))
      after = page.next ?? ''
    } while (after)
    return seen
  }
  const seen = await walk()
  expect([seen.length, new Set(seen).size]).toEqual([7, 7])
  const whole = await d.done(d.admin, 'GET', `/users/${who.id}/timeline`)
  expect(seen).toEqual(whole.items.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`))
  const { kinds } = await d.done(reader, 'GET', `/users/${who.id}/timeline`)
  expect(kinds).toEqual(['feedback', 'comment', 'ticket-comment', 'talk'])
  expect((await d.ask(d.admin, 'GET', `/users/${who.id}/timeline?after=xx`)).status).toBe(400)
  const bad = await d.ask(d.admin, 'POST', `/api/qa-controller/dossier/${who.id}/comments`, {
    ...{ commentData: 'x', notifyUsers: [(await d.t.somebody([])).id] },
  })
  expect(fieldsOf(bad)).toEqual([422, ['notifyUsers']])
})

test('answers of a talk are released together, and nobody else reads the talk', async () => {
  const [lead, who] = [await d.person(), await d.person([])]
  const wish = { userId: who.id, kind: 'one-to-one', title: 'Autumn', heldOn: '2026-12-01', questions: ['How?'] }
  const { id } = await d.done(lead, 'POST', '/talks', wish)
  const prepare = (person: typeof lead, text: string, isReady: boolean) =>
    d.done(person, 'PATCH', `/talks/${id}/answers`, { answers: [text], isReady })
  await prepare(lead, 'lead says', true)
  expect((await d.done(who, 'GET', `/talks/${id}`)).answers).toEqual([])
  expect((await d.ask(d.admin, 'GET', `/talks/${id}`)).status).toBe(404)
  expect(fieldsOf(await d.ask(lead, 'PATCH', `/talks/${id}`, { goals: ['Rest'] }))).toEqual([422, ['goals']])
  const released = await prepare(who, 'person says', true)
  expect([released.state, released.answers.length]).toEqual(['released', 2])
  expect((await d.ask(who, 'PATCH', `/talks/${id}`, { goals: [] })).status).toBe(422)
  expect(await d.done(lead, 'PATCH', `/talks/${id}`, { goals: ['Rest'] })).toMatchObject({
    state: 'closed',
    goals: ['Rest'],
  })
  const { items } = await d.done(who, 'GET', `/users/${who.id}/timeline?kind=talk`)
  expect(items).toMatchObject([{ title: 'Autumn', text: 'Rest' }])
})

test('a template of questions is created, changed and deleted, and a planned talk keeps its questions', async () => {
  const lead = await d.person()
  const { items: first } = await d.done(lead, 'GET', '/talk-templates?kind=yearly-review')
  expect(first).toMatchObject([{ name: 'Yearly review', isActive: true, questions: { length: 5 } }])
  const wish = { name: 'Trial month', kind: 'one-to-one', questions: ['What surprised you?'] }
  expect((await d.ask(lead, 'POST', '/talk-templates', wish)).status).toBe(403)
  const made = await d.done(d.admin, 'POST', '/talk-templates', wish)
  expect(fieldsOf(await d.ask(d.admin, 'POST', '/talk-templates', { ...wish, name: 'trial MONTH' }))).toEqual([
    409,
    ['name'],
  ])
  expect(fieldsOf(await d.ask(d.admin, 'POST', '/talk-templates', { ...wish, questions: [] }))).toEqual([
    400,
    ['questions'],
  ])
  const change = { questions: ['What surprised you?', 'Do you stay?'], isActive: false, version: made.version }
  expect(await d.done(d.admin, 'PATCH', `/talk-templates/${made.id}`, change)).toMatchObject({
    name: 'Trial month',
    questions: change.questions,
    isActive: false,
  })
  expect((await d.ask(d.admin, 'PATCH', `/talk-templates/${made.id}`, change)).status).toBe(409)
  expect((await d.done(lead, 'GET', '/talk-templates?isActive=true&search=trial')).items).toEqual([])
  const [yearly] = first
  const { questions, kind } = yearly
  const planned = { userId: (await d.person([])).id, kind, title: 'Year', heldOn: '2026-12-01', questions }
  const talk = await d.done(lead, 'POST', '/talks', planned)
  await d.done(d.admin, 'DELETE', `/talk-templates/${yearly.id}`, { version: yearly.version })
  expect((await d.done(lead, 'GET', '/talk-templates?kind=yearly-review')).items).toEqual([])
  expect((await d.done(lead, 'GET', `/talks/${talk.id}`)).questions).toEqual(questions)
})

test('the export has whole texts, earlier versions and the answers of one’s own talks', async () => {
  const [author, who] = [await d.person(), await d.person([])]
  const content = `${'long '.repeat(1500)}end`
  const fields = { userId: who.id, visibility: 'subject-and-manager' }
  const entry = await d.done(author, 'POST', '/feedbacks', { ...fields, content: 'first' })
  await d.done(author, 'PATCH', `/feedbacks/${entry.id}`, { content })
  const wish = { userId: who.id, kind: 'one-to-one', title: 'Kept', heldOn: '2026-12-01', questions: ['How?'] }
  const talk = await d.done(author, 'POST', '/talks', wish)
  for (const side of [author, who])
    await d.done(side, 'PATCH', `/talks/${talk.id}/answers`, { answers: [`${side.id} says`], isReady: true })
  const own = await d.done(who, 'POST', `/users/${who.id}/export`, {})
  expect(own).toMatchObject({ more: false, feedback: [{ content, history: [{ content: 'first' }] }] })
  expect(own.talks).toMatchObject([{ title: 'Kept', answers: [{}, {}] }])
  expect(own.timeline.find(({ kind }: { kind: string }) => kind === 'feedback').text).toBe(content)
  expect((await d.done(d.admin, 'POST', `/users/${who.id}/export`, {})).talks).toEqual([])
})

test('a lead cancels a talk in preparation, and the answers stay unread', async () => {
  const [lead, who] = [await d.person(), await d.person([])]
  const wish = { userId: who.id, kind: 'one-to-one', title: 'Spring', heldOn: '2026-12-01', questions: ['How?'] }
  const { id } = await d.done(lead, 'POST', '/talks', wish)
  await d.done(who, 'PATCH', `/talks/${id}/answers`, { answers: ['not for now'], isReady: true })
  expect((await d.ask(who, 'PATCH', `/talks/${id}`, { goals: [] })).status).toBe(422)
  expect(await d.done(lead, 'PATCH', `/talks/${id}`, { goals: [] })).toMatchObject({
    ...{ state: 'closed', releasedAt: null, answers: [] },
  })
  expect((await d.ask(lead, 'PATCH', `/talks/${id}/answers`, { answers: [], isReady: true })).status).toBe(422)
})

test('a deleted person’s teams, follow-ups and talks pass to the heir; private entries pass to nobody', async () => {
  const [leaver, heir, who] = [await d.person(), await d.person(), await d.person()]
  const team = await d.team({ managerId: leaver.id })
  await d.join(who, team)
  await d.join(leaver, await d.team())
  const write = (visibility: string) =>
    d.done(leaver, 'POST', '/feedbacks', { userId: who.id, visibility, content: visibility, followUpOn: '2999-01-01' })
  const [shared, hidden] = [await write('manager'), await write('private')]
  const wish = { userId: who.id, kind: 'one-to-one', title: 'Last', heldOn: '2026-12-01', questions: ['How?'] }
  const talk = await d.done(leaver, 'POST', '/talks', wish)
  const refused = await d.ask(d.admin, 'DELETE', '/api/auth/users', { id: leaver.id })
  expect(refused.status).toBe(409)
  await d.done(d.admin, 'DELETE', '/api/auth/users', { id: leaver.id, heir: heir.id })
  expect(await d.done(heir, 'GET', `/feedbacks/${shared.id}`)).toMatchObject({ followUpBy: { id: heir.id } })
  expect((await d.ask(heir, 'GET', `/feedbacks/${hidden.id}`)).status).toBe(404)
  expect((await d.done(heir, 'GET', `/talks/${talk.id}`)).lead.id).toBe(heir.id)
  expect((await d.done(d.admin, 'GET', `/teams/${team}`)).managerId).toBe(heir.id)
  const { items } = await d.done(d.admin, 'GET', `/memberships?userId=${leaver.id}`)
  expect(items.every(({ to }: { to: string | null }) => to !== null)).toBe(true)
})

test('erasure needs a closed dossier and overwrites texts; a dossier can be reopened', async () => {
  const who = await d.person()
  const { id } = await d.done(d.admin, 'POST', '/feedbacks', {
    userId: who.id,
    visibility: 'team',
    content: 'personal',
  })
  await d.done(d.admin, 'POST', `/api/qa-controller/dossier/${who.id}/comments`, { commentData: 'personal too' })
  const erase = () => d.ask(d.admin, 'POST', `/users/${who.id}/erasure`, { reason: 'Asked for' })
  expect((await erase()).status).toBe(422)
  await d.done(d.admin, 'DELETE', `/users/${who.id}`, {})
  expect((await d.ask(d.admin, 'GET', `/users/${who.id}`)).status).toBe(404)
  expect((await erase()).body).toEqual({ feedback: 1, comments: 1, talks: 0 })
  await d.done(d.admin, 'POST', '/users', { userId: who.id })
  const { items } = await d.done(d.admin, 'GET', `/users/${who.id}/timeline`)
  expect(items.map(({ text }: { text: string }) => text)).toEqual(['(erased)', '(erased)'])
  expect((await d.done(d.admin, 'GET', `/feedbacks/${id}`)).content).toBe('(erased)')
})

test('free users have no dossier, and a second dossier is refused', async () => {
  const who = await d.t.somebody([], 'freeperson')
  const free = async () => (await d.done(d.admin, 'GET', '/free-users?search=freeperson')).total
  expect(await free()).toBe(1)
  await d.done(d.admin, 'POST', '/users', { userId: who.id, startedOn: '2024-05-01' })
  expect(await free()).toBe(0)
  expect(fieldsOf(await d.ask(d.admin, 'POST', '/users', { userId: who.id }))).toEqual([409, ['userId']])
  const { items } = await d.done(d.admin, 'GET', '/users?search=freeperson')
  expect(items).toMatchObject([{ id: who.id, startedOn: '2024-05-01', team: null, manager: null }])
})
