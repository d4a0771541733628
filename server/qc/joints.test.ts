import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imported } from '../hostile/world/quality.ts'
import { rows } from '../kit/db/db.ts'
import { openTestApp, type TestApp } from '../testing/testApp.ts'

/** What becomes of reviews, disputes, escalations and merges when people leave and sources change between two steps. */
let t: TestApp
let token: string
let source: number
let scoreTypeId: number
let gradeId: number
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const importing = (...items: unknown[]) =>
  t.call('POST', `${v2}/sources/${source}/file`, {
    token,
    raw: Buffer.from(items.map((item) => JSON.stringify(item)).join('\n')),
    type: 'application/octet-stream',
  })
const chat = async (externalId: string): Promise<number> => {
  const found = await rows<{ id: number }>(
    t.app.db,
    sql`select qc_conversation_id as id from qc_conversations where external_id = ${externalId}`,
  )
  return found[0]?.id ?? 0
}
const one = async (externalId: string) => done('GET', `${chats}/chats/${await chat(externalId)}`)
const told = async ({ id }: { id: number }, text: string) =>
  (await rows(t.app.db, sql`select from notifications where user_id = ${id} and title like ${`%${text}%`}`)).length
const leave = (id: number) => done('DELETE', '/api/auth/users', { id })

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  gradeId = (await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })).id
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  scoreTypeId = (await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })).id
  source = (await done('POST', `${v2}/sources`, { name: 'Help desk' })).id
})
afterAll(() => t.close())

test('a merge is followed when the other chat is imported later, and forgotten when the source takes it back', async () => {
  await importing({ ...imported('chat', 'early'), mergedInto: 'late' })
  expect(await one('early')).toMatchObject({ mergedInto: 'late', mergedIntoId: null })
  const waiting = await call('POST', `${chats}/chats/${await chat('early')}/queue`, {})
  expect([waiting.status, waiting.body.message]).toEqual([422, 'The chat is merged or deleted in its source'])
  await importing(imported('chat', 'late'))
  expect(await one('early')).toMatchObject({ mergedIntoId: await chat('late') })
  await importing(imported('chat', 'early'))
  expect(await one('early')).toMatchObject({ mergedInto: null, mergedIntoId: null })
  expect((await call('POST', `${chats}/chats/${await chat('early')}/queue`, {})).status).toBe(200)
})

test('a dispute of a review whose reviewer left reaches the quality managers', async () => {
  const agent = await t.somebody(['qa:chat:read', 'qa:chat:feedback-create'], 'agent')
  const reviewer = await t.somebody(['qa:chat:read', 'qa:chat:review'])
  const manager = await t.somebody(['qa:manager:access'])
  await importing(imported('chat', 'disputed'))
  const chatId = await chat('disputed')
  await done('POST', `${chats}/chats/${chatId}/queue`, {})
  const data = { scores: [{ scoreTypeId, gradeId }] }
  const { reviews } = await done('POST', `${chats}/reviews`, { chatId, agents: [agent.id], data }, reviewer.token)
  await leave(reviewer.id)
  const [review] = reviews
  const made = await call(
    'POST',
    `${v2}/mine/reviews/${review.id}/feedbacks`,
    { feedback: 'Not so', type: 'dispute' },
    agent.token,
  )
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  expect([await told(manager, 'is disputed'), await told(reviewer, 'is disputed')]).toEqual([1, 0])
})

test('an escalation goes on after its agent and its assignee left', async () => {
  const [agent, assignee] = [await t.somebody([]), await t.somebody([])]
  await importing(imported('chat', 'escalated'))
  const escalationDTO = { reason: 'Angry', assigneeId: assignee.id }
  const path = `${chats}/escalations`
  const { id } = await done('POST', path, { chatId: await chat('escalated'), agents: [agent.id], escalationDTO })
  await done('PATCH', `${chats}/escalations/${id}/status`, { status: 'reviewed' })
  await leave(assignee.id)
  await leave(agent.id)
  const opened = await done('PATCH', `${chats}/escalations/${id}/status`, { status: 'open' })
  expect(opened).toMatchObject({ status: 'open', assignee: null, agents: [{ id: agent.id }] })
  const changed = await done('PATCH', `/api/qa-controller/escalation/${id}`, {
    agents: [agent.id],
    escalationDTO: { priority: 'high' },
  })
  expect(changed).toMatchObject({ priority: 'high', agents: [{ id: agent.id }] })
  const refused = await call('PATCH', `/api/qa-controller/escalation/${id}`, { agents: [agent.id, assignee.id] })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['agents']])
})

test('a comment is rewritten after somebody whom it mentions left', async () => {
  const [leaver, other] = [await t.somebody([]), await t.somebody([])]
  await importing(imported('chat', 'discussed'))
  const path = `${chats}/chats/${await chat('discussed')}/comments`
  const made = await done('POST', path, { commentData: 'Look', notifyUsers: [leaver.id] })
  await leave(leaver.id)
  const rewrite = (notifyUsers: number[]) =>
    call('PATCH', `${chats}/comments/${made.id}`, { content: 'Look again', notifyUsers })
  expect((await rewrite([leaver.id, other.id])).status).toBe(200)
  expect(await told(other, 'mentioned you')).toBe(1)
})
