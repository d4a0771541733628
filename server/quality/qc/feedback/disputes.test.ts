import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { packDays } from '../statistics/days.ts'

/** Disputes from opening to every end, and what their reviews and their people do meanwhile. */
let t: TestApp
let token: string
let source: number
let scoreTypeId: number
const grades = { good: 0, fair: 0, poor: 0 }
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const refused = async (...asked: Parameters<typeof call>) => {
  const { status, body } = await call(...asked)
  return [status, body.message]
}
/** Titles of the notifications of a person, the first first. */
const told = async ({ id }: { id: number }) =>
  (
    await rows<{ title: string }>(
      t.app.db,
      sql`select title from notifications where user_id = ${id} order by notification_id`,
    )
  ).map(({ title }) => title)

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  for (const [name, value] of [
    ['good', 80],
    ['fair', 50],
    ['poor', 0],
  ] as const)
    grades[name] = (await done('POST', `${v2}/score/grades`, { name, value })).id
  const gradeIds = Object.values(grades)
  scoreTypeId = (await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds })).id
  source = (await done('POST', `${v2}/sources`, { name: 'Help desk' })).id
})
afterAll(() => t.close())

const scored = (gradeId: number) => ({ scores: [{ scoreTypeId, gradeId }] })
const reviewing = ['qa:chat:read', 'qa:chat:review', 'qa:chat:review-update', 'qa:chat:review-delete']
const deciding = ['qa:manager:access', 'qa:chat:read', 'qa:feedback:read', 'qa:feedback:status']

interface Reviewed {
  chatId: number
  reviewId: number
  agent: { id: number; token: string }
  /** Another agent who wrote in the chat. */
  other: { id: number; token: string }
  by: { id: number; token: string }
  mine: string
}
/** A chat in which two agents wrote, and the review of the first one. */
async function reviewed(name: string, { grade = grades.fair, scopes = reviewing } = {}): Promise<Reviewed> {
  await t.call('POST', `${v2}/sources/${source}/file`, {
    ...{ token, raw: Buffer.from(JSON.stringify(imported('chat', name))), type: 'application/octet-stream' },
  })
  const [agent, other, by] = [await t.somebody([]), await t.somebody([]), await t.somebody(scopes)]
  const [chat] = await rows<{ id: number }>(
    t.app.db,
    sql`update qc_conversations set agent_id = ${agent.id}, agent_ids = ${sql.param([agent.id, other.id])}::int[]
      where external_id = ${name} returning qc_conversation_id as id`,
  )
  const chatId = chat?.id ?? 0
  const { reviews } = await done(
    'POST',
    `${chats}/reviews`,
    { chatId, agents: [agent.id], data: scored(grade) },
    by.token,
  )
  const reviewId = reviews[0].id
  return { chatId, reviewId, agent, other, by, mine: `${v2}/mine/reviews/${reviewId}` }
}
const dispute = async ({ mine, agent }: Reviewed, proposes?: object) =>
  done('POST', `${mine}/feedbacks`, { feedback: 'Not so', type: 'dispute', proposes }, agent.token)
const decide = (id: number, outcome: string, as = token) =>
  call('PATCH', `${chats}/feedbacks/${id}/status`, { status: 'answered', outcome, answer: 'Looked at' }, as)
const own = (of: Reviewed, as = of.agent.token) => done('GET', of.mine, undefined, as)

test('an agent withdraws a dispute, corrects it, and nobody decides the one that was withdrawn', async () => {
  const of = await reviewed('withdrawn')
  const first = await dispute(of)
  const away = (as: string) => call('DELETE', `${of.mine}/dispute`, undefined, as)
  expect((await away((await t.somebody([])).token)).status).toBe(404)
  expect((await away(of.by.token)).status).toBe(404)
  expect((await away(of.agent.token)).status).toBe(204)
  expect((await away(of.agent.token)).status).toBe(404)
  expect(await told(of.by)).toEqual([
    'Your review of chat withdrawn is disputed',
    'The dispute of your review of chat withdrawn is withdrawn',
  ])
  const judge = await t.somebody(deciding)
  for (const outcome of ['accepted', 'rejected'])
    expect((await decide(first.id, outcome, judge.token)).status).toBe(422)
  expect(await refused('PATCH', `${chats}/feedbacks/${first.id}/status`, { status: 'open' }, judge.token)).toEqual([
    422,
    expect.stringMatching(/has withdrawn the dispute/),
  ])
  expect(await own(of)).toMatchObject({
    disputableUntil: expect.any(String),
    feedbacks: [{ status: 'closed', outcome: 'withdrawn', answeredBy: { id: of.agent.id } }],
  })
  const second = await dispute(of)
  expect((await call('POST', `${of.mine}/feedbacks`, { feedback: 'x', type: 'dispute' }, of.agent.token)).status).toBe(
    409,
  )
  await decide(second.id, 'rejected', judge.token)
  expect((await own(of)).disputableUntil).toBeNull()
  expect((await away(of.agent.token)).status).toBe(404)
})

test('a review that came to another agent counts for them, shows them nothing of the former one, and is theirs to dispute', async () => {
  const of = await reviewed('to-another', { grade: grades.good })
  const writer = await t.somebody(['qa:chat:read', 'qa:comment:create', 'qa:feedback:create', 'qa:feedback:read'])
  const comment = await done('POST', `${chats}/reviews/${of.reviewId}/comments`, { commentData: 'Calm' }, writer.token)
  await done('POST', `${chats}/feedbacks`, { review: of.reviewId, feedback: 'Well done' }, writer.token)
  await done('POST', `${of.mine}/feedbacks`, { feedback: 'Thank you' }, of.agent.token)
  // the review is older than a dispute may be, and its day is packed
  await t.app.db.execute(
    sql`update qc_reviews set submitted_at = now() - interval '60 days' where qc_review_id = ${of.reviewId}`,
  )
  await t.app.db.execute(sql`update qc_reviews set disputable_from = now() where qc_review_id = ${of.reviewId}`)
  await packDays(t.app)
  const count = async ({ id }: { id: number }) => (await done('GET', `/api/qa-statistics-v2/statistics/users/${id}`)).n
  expect([await count(of.agent), await count(of.other)]).toEqual([1, 0])
  const { id } = await dispute(of, { agentId: of.other.id })
  expect((await decide(id, 'accepted')).status).toBe(200)

  expect([await count(of.agent), await count(of.other)]).toEqual([0, 1])
  const [about] = await rows<{ about: number }>(
    t.app.db,
    sql`select about_id as about from qc_comments where qc_comment_id = ${comment.id}`,
  )
  expect(about).toEqual({ about: of.other.id })
  const page = await own(of, of.other.token)
  expect(page.feedbacks.map(({ content }: { content: string }) => content)).toEqual(['Well done'])
  expect(Date.parse(page.disputableUntil)).toBeGreaterThan(Date.now())
  expect((await call('GET', of.mine, undefined, of.agent.token)).status).toBe(404)
  const kept = await done('GET', `${of.mine}/feedbacks`, undefined, of.agent.token)
  expect(kept.items.map(({ content }: { content: string }) => content)).toEqual(['Thank you', 'Not so'])
  expect(kept.items[1]).toMatchObject({ outcome: 'accepted', answer: 'Looked at' })
  expect((await call('GET', `${of.mine}/feedbacks`, undefined, (await t.somebody([])).token)).status).toBe(404)
  expect(await told(of.by)).toEqual([
    'Feedback on your review of chat to-another',
    'Your review of chat to-another is disputed',
    'The dispute of your review of chat to-another is accepted',
  ])

  const back = { feedback: 'It was the other one', type: 'dispute', proposes: { agentId: of.agent.id } }
  const again = await done('POST', `${of.mine}/feedbacks`, back, of.other.token)
  expect((await decide(again.id, 'accepted', of.by.token)).status).toBe(403)
  expect((await decide(again.id, 'accepted')).status).toBe(200)
  expect((await own(of)).agent).toMatchObject({ id: of.agent.id })
})

test('whom a dispute names decides nothing about it', async () => {
  const of = await reviewed('names-the-judge')
  const judge = await t.somebody(deciding)
  await t.app.db.execute(sql`update qc_conversations set agent_ids = agent_ids || ${judge.id}::int
    where qc_conversation_id = ${of.chatId}`)
  const { id } = await dispute(of, { agentId: judge.id, scores: [{ scoreTypeId, gradeId: grades.good }] })
  for (const outcome of ['accepted', 'partly', 'rejected'])
    expect((await decide(id, outcome, judge.token)).status, outcome).toBe(403)
  const somebody = await t.somebody(deciding)
  expect((await decide(id, 'accepted', somebody.token)).status).toBe(200)
  expect(await own(of, judge.token)).toMatchObject({ score: 80, agent: { id: judge.id } })
})

test('a decision that changed the review stays; another one is taken back, and is due anew', async () => {
  const of = await reviewed('applied')
  const { id } = await dispute(of, { scores: [{ scoreTypeId, gradeId: grades.good }] })
  expect(await done('GET', `${chats}/feedbacks/${id}`)).toMatchObject({
    proposes: { scores: [{ gradeName: 'good', presentName: 'fair' }] },
  })
  const set = (body: object) => call('PATCH', `${chats}/feedbacks/${id}/status`, body)
  for (const status of ['open', 'in-progress'])
    expect((await set({ status, outcome: 'accepted' })).body.fields).toHaveProperty('status')
  expect((await own(of)).score).toBe(50)
  expect((await decide(id, 'accepted')).status).toBe(200)
  expect((await own(of)).score).toBe(80)
  for (const body of [{ status: 'open' }, { status: 'answered', outcome: 'rejected' }])
    expect(await set(body), JSON.stringify(body)).toMatchObject({
      status: 422,
      body: { fields: { outcome: expect.any(String) } },
    })
  expect((await set({ status: 'closed', answer: 'With a better text' })).status).toBe(200)

  const other = await reviewed('taken-back')
  const wish = await dispute(other)
  const judge = await t.somebody(deciding)
  expect((await decide(wish.id, 'rejected', judge.token)).status).toBe(200)
  await t.app.db.execute(
    sql`update qc_feedbacks set due_at = now() - interval '1 day' where qc_feedback_id = ${wish.id}`,
  )
  const path = `${chats}/feedbacks/${wish.id}/status`
  const opened = await done('PATCH', path, { status: 'open' }, judge.token)
  expect(opened).toMatchObject({ status: 'open', outcome: null, answeredAt: null, answeredBy: null })
  expect(Date.parse(opened.dueAt)).toBeGreaterThan(Date.now())
  expect(await told(other.agent)).toEqual([
    'Your dispute about chat taken-back is answered',
    'Your dispute about chat taken-back is open again',
  ])
  expect((await decide(wish.id, 'partly', judge.token)).status).toBe(200)
  const feedback = await done('POST', `${chats}/feedbacks`, { chatId: of.chatId, feedback: 'Polite' })
  expect((await decide(feedback.id, 'accepted')).body.fields).toHaveProperty('outcome')
})

test('a review that became worse is disputed anew, one that became better is not', async () => {
  const of = await reviewed('worse', { grade: grades.fair })
  const change = (grade: number) =>
    done('PATCH', `${chats}/reviews/${of.reviewId}`, { data: scored(grade) }, of.by.token)
  const judge = await t.somebody(deciding)
  await decide((await dispute(of)).id, 'rejected', judge.token)
  await change(grades.good)
  expect((await own(of)).disputableUntil).toBeNull()
  await t.app.db.execute(
    sql`update qc_reviews set submitted_at = now() - interval '60 days' where qc_review_id = ${of.reviewId}`,
  )
  await change(grades.poor)
  const { disputableUntil } = await own(of)
  expect(Date.parse(disputableUntil)).toBeGreaterThan(Date.now())
  const { id } = await dispute(of, { scores: [{ scoreTypeId, gradeId: grades.good }] })
  // what the agent asked for is nothing to dispute
  await decide(id, 'accepted', judge.token)
  expect(await own(of)).toMatchObject({ score: 80, disputableUntil: null })
  // others than the reviewer change a review: the reviewer hears of it
  await done('PATCH', `${chats}/reviews/${of.reviewId}`, { data: scored(grades.fair) })
  expect((await told(of.by)).at(-1)).toBe('Your review of chat worse was changed')
})

test('a dispute comes back with its restored review after its words were erased, and a review that was away is disputable', async () => {
  const of = await reviewed('away')
  const { id } = await dispute(of)
  await done('DELETE', `${chats}/reviews/${of.reviewId}`, {}, of.by.token)
  const judge = await t.somebody(deciding)
  expect(
    await refused('PATCH', `${chats}/feedbacks/${id}/status`, { status: 'answered', outcome: 'partly' }, judge.token),
  ).toEqual([422, expect.stringMatching(/ended with its review/)])
  await done('POST', `${v2}/customers/erase`, { email: 'ola@customer.example' })
  await done('POST', `${chats}/reviews/${of.reviewId}/restore`, {})
  expect((await own(of)).feedbacks).toMatchObject([{ id, status: 'open', outcome: null, answeredAt: null }])
  expect((await told(of.by)).at(-1)).toBe('Your review of chat away was restored')

  const late = await reviewed('away-long')
  await done('DELETE', `${chats}/reviews/${late.reviewId}`, {}, late.by.token)
  await t.app.db.execute(
    sql`update qc_reviews set submitted_at = now() - interval '60 days' where qc_review_id = ${late.reviewId}`,
  )
  await done('POST', `${chats}/reviews/${late.reviewId}/restore`, {})
  await dispute(late)
})

test('a grade that is no longer offered is refused beside the outcome, and the dispute can still end', async () => {
  const name = { name: 'excellent', value: 100 }
  const excellent = (await done('POST', `${v2}/score/grades`, name)).id
  const gradeIds = Object.values(grades)
  const types = `${v2}/score/types`
  await done('PATCH', `${types}/${scoreTypeId}`, { gradeIds: [...gradeIds, excellent] })
  const of = await reviewed('not-offered')
  const { id } = await dispute(of, { scores: [{ scoreTypeId, gradeId: excellent }] })
  await done('PATCH', `${types}/${scoreTypeId}`, { gradeIds })
  const answer = await decide(id, 'accepted')
  expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['outcome']])
  expect((await decide(id, 'partly')).status).toBe(200)
})

test('a reviewer without a right to feedback gets a link that opens, and managers hear of what the reviewer cannot decide', async () => {
  const manager = await t.somebody(deciding)
  const of = await reviewed('cannot-decide')
  const { id } = await dispute(of)
  const links = async ({ id: who }: { id: number }) =>
    rows<{ link: string }>(
      t.app.db,
      sql`select link from notifications where user_id = ${who} and title like '%is disputed'`,
    )
  expect(await links(of.by)).toEqual([{ link: `/qc-v2/chats/${of.chatId}` }])
  expect(await links(manager)).toEqual([{ link: `/qc-v2/chat-feedbacks/${id}` }])
  const able = await reviewed('can-decide', { scopes: [...reviewing, 'qa:feedback:read', 'qa:feedback:status'] })
  const wish = await dispute(able)
  expect(await links(able.by)).toEqual([{ link: `/qc-v2/chat-feedbacks/${wish.id}` }])
  expect(await links(manager)).toHaveLength(1)
  await done('DELETE', '/api/auth/users', { id: able.by.id })
  expect((await told(manager)).at(-1)).toBe('Disputes have lost their reviewer: 1')
})

test('an agent who reviews other departments only disputes a review of their own work', async () => {
  const of = await reviewed('limited')
  const [department] = await rows<{ id: number }>(
    t.app.db,
    sql`insert into departments (name) values ('Elsewhere') returning department_id as id`,
  )
  await done('PATCH', `${v2}/reviewers/${of.agent.id}`, { departmentIds: [department?.id] })
  // graded with a reason: they did not write in the chat
  await t.app.db.execute(sql`update qc_conversations set agent_ids = ${sql.param([of.other.id])}::int[], agent_id = ${of.other.id}
    where qc_conversation_id = ${of.chatId}`)
  const { id } = await dispute(of)
  expect(await own(of)).toMatchObject({ feedbacks: [{ id }], disputableUntil: null })
  expect((await call('DELETE', `${of.mine}/dispute`, undefined, of.agent.token)).status).toBe(204)
})
