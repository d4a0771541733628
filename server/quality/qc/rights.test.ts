import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { imported } from '../../test/hostile/world/quality.ts'

/** Words of conversations, and of cases about them, in the answers for people who may not read them. */
let t: TestApp
let token: string
let chat: number
let escalation: number
let feedback: number
const v2 = '/api/qa-controller-v2'
const base = '/api/chat-controller-v2'
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  const { id: gradeId } = await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  const type = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })
  const { id: source } = await done('POST', `${v2}/sources`, { name: 'Help desk' })
  const raw = Buffer.from(JSON.stringify(imported('chat', 'gold')))
  await t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
  const [found] = await rows<{ id: number }>(t.app.db, sql`select qc_conversation_id as id from qc_conversations`)
  chat = found?.id ?? 0
  const agent = await t.somebody([])
  const data = { scores: [{ scoreTypeId: type.id, gradeId }], agentReason: 'Led the shift' }
  const submitted = await done('POST', `${base}/reviews`, { chatId: chat, agents: [agent.id], data })
  const dispute = { feedback: 'Unfair', type: 'dispute' }
  const own = `${v2}/mine/reviews/${submitted.reviews[0].id}/feedbacks`
  feedback = (await done('POST', own, dispute, agent.token)).id
  const dto = { reason: 'Data lost' }
  escalation = (await done('POST', `${base}/escalations`, { chatId: chat, escalationDTO: dto })).id
  await done('POST', `${base}/chats/${chat}/comments`, { commentData: 'Polite' })
  await done('POST', `${base}/feedbacks/${feedback}/comments`, { commentData: 'He is right' })
})
afterAll(() => t.close())

test('the page of a chat shows escalations, feedback and comments on it to those who may read these', async () => {
  const page = async (scopes: string[]) => {
    const { escalations, feedbacks, comments } = await done(
      ...(['GET', `${base}/chats/${chat}`, undefined, (await t.somebody(scopes)).token] as const),
    )
    return [escalations.length, feedbacks.length, comments.length]
  }
  expect(await page(['qa:chat:read'])).toEqual([0, 0, 1])
  expect(await page(['qa:chat:read', 'qa:escalation:read'])).toEqual([1, 0, 1])
  expect(await page(['qa:chat:read', 'qa:feedback:read'])).toEqual([0, 1, 2])
})

test.each([
  ['qa:escalation:read', `${base}/escalations`],
  ['qa:escalation:read', '/api/qa-controller/escalation'],
  ['qa:feedback:read', `${base}/feedbacks`],
  ['qa:feedback:read', '/api/qa-controller/feedback'],
  ['qa:statistics:read', '/api/qa-statistics-v2/statistics/reviews'],
])('%s alone shows no subject of %s, and finds nothing by one', async (scope, path) => {
  const as = (await t.somebody([scope])).token
  const { items } = await done('GET', path, undefined, as)
  expect(items).toMatchObject([{ externalId: 'gold', subject: '' }])
  expect((await done('GET', path)).items).toMatchObject([{ subject: 'About gold' }])
  if (scope === 'qa:statistics:read') return
  const found = async (search: string, who = as) =>
    (await done('GET', `${path}?search=${search}`, undefined, who)).items
  if (path.startsWith(base)) {
    expect(await found('About')).toEqual([])
    expect(await found('ola@')).toEqual([])
    expect(await found('gold')).toHaveLength(1)
    expect(await found('About', token)).toHaveLength(1)
  }
})

test('one escalation and one feedback hide the subject, too', async () => {
  const reads = await t.somebody(['qa:escalation:read', 'qa:feedback:read'])
  for (const path of [`escalations/${escalation}`, `feedbacks/${feedback}`])
    expect(await done('GET', `${base}/${path}`, undefined, reads.token)).toMatchObject({ subject: '' })
})

test('nobody is mentioned in or given what they may not read', async () => {
  const outsider = await t.somebody(['qa:feedback:read'])
  const name = /may not read (chats|escalations)$/
  const refused = async (method: 'POST' | 'PATCH', path: string, body: unknown, field: string) => {
    const answer = await call(method, `${base}/${path}`, body)
    expect([answer.status, Object.keys(answer.body.fields ?? {})], path).toEqual([422, [field]])
    expect(answer.body.message).toMatch(name)
  }
  const mention = { notifyUsers: [outsider.id] }
  await refused('POST', `chats/${chat}/comments`, { commentData: 'x', ...mention }, 'notifyUsers')
  await refused('POST', `chats/${chat}/notes`, { noteData: 'x', ...mention }, 'notifyUsers')
  await refused('POST', `feedbacks/${feedback}/comments`, { commentData: 'x', ...mention }, 'notifyUsers')
  const { id } = await done('POST', `${base}/chats/${chat}/comments`, { commentData: 'x' })
  await refused('PATCH', `comments/${id}`, { content: 'x', ...mention }, 'notifyUsers')
  await refused('PATCH', `chats/${chat}/assignee`, { assigneeId: outsider.id }, 'assigneeId')
  const field = 'escalationDTO.assigneeId'
  const dto = { escalationDTO: { assigneeId: outsider.id } }
  const answer = await call('PATCH', `/api/qa-controller/escalation/${escalation}`, dto)
  expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
  expect(await rows(t.app.db, sql`select from notifications where user_id = ${outsider.id}`)).toEqual([])
})

test('notifications quote neither the escalation nor the reason', async () => {
  const judge = await t.somebody(['qa:escalation:read', 'qa:chat:read'])
  const dto = { escalationDTO: { assigneeId: judge.id } }
  await done('PATCH', `/api/qa-controller/escalation/${escalation}`, dto)
  await done('PATCH', `${base}/chats/${chat}/assignee`, { assigneeId: judge.id, reason: 'Data lost' })
  const told = await rows<{ title: string; body: string }>(
    t.app.db,
    sql`select title, body from notifications where user_id = ${judge.id} order by 1`,
  )
  expect(told.map(({ title }) => title)).toEqual(['A chat is yours to review', 'An escalation is yours: gold'])
  expect(told.map(({ body }) => body).join()).not.toMatch(/lost/)
})
