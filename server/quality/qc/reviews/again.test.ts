import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { redact } from '../privacy/redact.ts'

/** Who may be graded, and reviews that move, change or come a second time. */
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
const reviewer = () => t.somebody(['qa:chat:read', 'qa:chat:review', 'qa:chat:review-update'])

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  gradeId = (await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })).id
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  scoreTypeId = (await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })).id
  source = (await done('POST', `${v2}/sources`, { name: 'Help desk' })).id
})
afterAll(() => t.close())

/** A chat of two agents who wrote in it, and who are mapped to people. */
const talk = (id: string, more: { at: string; text: string }[] = []) => ({
  ...imported('chat', id, 'first-agent'),
  messages: [
    ...imported('chat', id, 'first-agent').messages,
    {
      ...{ id: `${id}-3`, at: '2026-11-20T10:05:00Z', text: 'I repaired it' },
      author: { id: 'second-agent', name: 'Second', role: 'agent' },
    },
    ...more.map(({ at, text }, n) => ({ id: `${id}-m${n}`, at, text, author: { name: 'Ola', role: 'customer' } })),
  ],
})
/** The people of the two agents; the first call maps them. */
let agentsOf: Promise<readonly { id: number; token: string }[]> | undefined
const mapped = async () => {
  agentsOf ??= mapAgents()
  const [first, second] = await agentsOf
  return [first!, second!] as const // two are mapped
}
const mapAgents = async () => {
  const people = [await t.somebody([], 'agent-one'), await t.somebody([], 'agent-two')] as const
  for (const [n, identity] of ['first-agent', 'second-agent'].entries()) {
    const [row] = await rows<{ id: number }>(
      t.app.db,
      sql`select qc_identity_id as id from qc_identities where identity = ${identity}`,
    )
    await done('PATCH', `${v2}/identities/${row?.id}`, { userId: people[n]?.id })
  }
  return people
}

test('only people who wrote are graded without a reason; a dispute moves the review and changes its grades', async () => {
  await importing(talk('moved'))
  const [first, second] = await mapped()
  const chatId = await chat('moved')
  const by = await reviewer()
  const stranger = await t.somebody([])
  const scores = [{ scoreTypeId, gradeId }]
  const refused = await call('POST', `${chats}/reviews`, { chatId, agents: [stranger.id], data: { scores } }, by.token)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['data.agentReason']])
  const { reviews } = await done('POST', `${chats}/reviews`, { chatId, agents: [first.id], data: { scores } }, by.token)
  const mine = `${v2}/mine/reviews/${reviews[0].id}`
  const own = await done('GET', mine, undefined, first.token)
  expect(own.writers).toMatchObject([{ id: second.id }])
  const { id: poor } = own.rubric[0].grades.find(({ name }: { name: string }) => name === 'Poor')
  const dispute = { feedback: 'It was not me', type: 'dispute' }
  const wrong = await call('POST', `${mine}/feedbacks`, { ...dispute, proposes: { agentId: stranger.id } }, first.token)
  expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['proposes.agentId']])
  const proposes = { agentId: second.id, scores: [{ scoreTypeId, gradeId: poor }] }
  const { id } = await done('POST', `${mine}/feedbacks`, { ...dispute, proposes }, first.token)
  const decided = { status: 'answered', outcome: 'accepted', answer: 'Right' }
  await done('PATCH', `${chats}/feedbacks/${id}/status`, decided)
  const [after] = (await one('moved')).reviews
  expect(after).toMatchObject({ id: reviews[0].id, agent: { id: second.id }, score: 0 })
  expect((await call('GET', mine, undefined, first.token)).status).toBe(404)
  expect([await told(first, 'is answered'), await told(second, 'is about you now')]).toEqual([1, 1])
  const { items } = await done('GET', `${chats}/reviews/${reviews[0].id}/edits`)
  expect(items[0].changes.map(({ field }: { field: string }) => field)).toContain('Agent')
})

test('a chat that goes on after its review is marked, queued again, and reviewed for the part since', async () => {
  await importing(talk('reopened'))
  const chatId = await chat('reopened')
  const by = await reviewer()
  const agents = [(await one('reopened')).agents[0].id]
  const review = () =>
    call('POST', `${chats}/reviews`, { chatId, agents, data: { scores: [{ scoreTypeId, gradeId }] } }, by.token)
  expect((await review()).status).toBe(201)
  expect((await review()).status).toBe(409)
  await importing(talk('reopened', [{ at: '2026-11-21T09:00:00Z', text: 'Down again' }]))
  const since = '2026-11-20T10:05:00.000Z'
  expect(await one('reopened')).toMatchObject({ status: 'reviewed', reopenedSince: since })
  await done('POST', `${chats}/chats/${chatId}/queue`, {})
  expect(await one('reopened')).toMatchObject({ status: 'queued', reopenedSince: since })
  expect((await review()).status).toBe(201)
  const page = await one('reopened')
  expect([page.status, page.reopenedSince]).toEqual(['reviewed', null])
  expect(page.reviews.map((each: { since: string | null }) => each.since).sort()).toEqual([since, null])
  expect((await review()).status).toBe(409)
})

test('a dispute of the first part and an escalation of the part since end without each other', async () => {
  await importing(talk('knot'))
  const [first] = await mapped()
  const chatId = await chat('knot')
  const by = await reviewer()
  const data = { scores: [{ scoreTypeId, gradeId }] }
  const { reviews } = await done('POST', `${chats}/reviews`, { chatId, agents: [first.id], data }, by.token)
  const mine = `${v2}/mine/reviews/${reviews[0].id}`
  const { id: poor } = (await done('GET', mine, undefined, first.token)).rubric[0].grades.find(
    ({ name }: { name: string }) => name === 'Poor',
  )
  const wish = { feedback: 'Too kind', type: 'dispute', proposes: { scores: [{ scoreTypeId, gradeId: poor }] } }
  const dispute = await done('POST', `${mine}/feedbacks`, wish, first.token)
  await importing(talk('knot', [{ at: '2026-11-21T09:00:00Z', text: 'Down again' }]))
  const escalation = await done('POST', `${chats}/escalations`, { chatId, agents: [first.id] })
  await done('PATCH', `/api/qa-controller/escalation/${escalation.id}`, { reviewData: data })
  const parts = async () =>
    (await one('knot')).reviews
      .map(({ since, score }: { since: string | null; score: number }) => [since !== null, score])
      .sort()
  const [before] = await parts()
  expect(await parts()).toEqual([before, [true, before[1]]])
  await done('PATCH', `${chats}/feedbacks/${dispute.id}/status`, {
    ...{ status: 'answered', outcome: 'accepted', answer: 'Right' },
  })
  expect(await parts()).toEqual([
    [false, 0],
    [true, before[1]],
  ])
})

test('an escalated chat that is reviewed gets the grades of its escalation in the same review', async () => {
  await importing(talk('escalated-later'))
  const chatId = await chat('escalated-later')
  const page = await one('escalated-later')
  const agents = [page.agents[0].id]
  await done('POST', `${chats}/reviews`, { chatId, agents, data: { scores: [{ scoreTypeId, gradeId }] } })
  const escalation = await done('POST', `${chats}/escalations`, { chatId, agents })
  const { id: poor } = (await done('GET', `${v2}/score/grades`)).items.find(
    ({ name }: { name: string }) => name === 'Poor',
  )
  const reviewData = { scores: [{ scoreTypeId, gradeId: poor }] }
  const answered = await done('PATCH', `/api/qa-controller/escalation/${escalation.id}`, { reviewData })
  expect(answered.status).toBe('reviewed')
  expect((await one('escalated-later')).reviews).toMatchObject([{ score: 0, edits: 1 }])
})

test('an escalation reviewed after two parts were reviewed changes the last one, and a submission answers its own reviews', async () => {
  await importing(talk('two-parts'))
  const chatId = await chat('two-parts')
  const agents = [(await one('two-parts')).agents[0].id]
  const data = { scores: [{ scoreTypeId, gradeId }] }
  const by = await reviewer()
  const first = await done('POST', `${chats}/reviews`, { chatId, agents, data }, by.token)
  const escalation = await done('POST', `${chats}/escalations`, { chatId, agents })
  await importing(talk('two-parts', [{ at: '2026-11-21T09:00:00Z', text: 'Down again' }]))
  await done('POST', `${chats}/chats/${chatId}/queue`, {})
  const second = await done('POST', `${chats}/reviews`, { chatId, agents, data }, by.token)
  expect(second.reviews.map(({ since }: { since: string | null }) => since !== null)).toEqual([true])
  const { id: poor } = (await done('GET', `${v2}/score/grades`)).items.find(
    ({ name }: { name: string }) => name === 'Poor',
  )
  const reviewData = { scores: [{ scoreTypeId, gradeId: poor }] }
  await done('PATCH', `/api/qa-controller/escalation/${escalation.id}`, { reviewData })
  const scoreOf = new Map((await one('two-parts')).reviews.map((r: { id: number; score: number }) => [r.id, r.score]))
  expect([scoreOf.get(first.reviews[0].id), scoreOf.get(second.reviews[0].id)]).toEqual([first.reviews[0].score, 0])
})

test('erased words leave the queue and stay out of it, and a deleted tag does not block saving', async () => {
  await importing(talk('erased'), talk('tagged'))
  const [erased, tagged] = [await chat('erased'), await chat('tagged')]
  const tag = await done('POST', `${v2}/tags`, { name: 'Short-lived' })
  for (const id of [erased, tagged]) await done('POST', `${chats}/chats/${id}/queue`, {})
  await redact(t.app.db, [erased])
  expect(await one('erased')).toMatchObject({ status: 'cleared' })
  expect((await call('POST', `${chats}/chats/${erased}/queue`, {})).status).toBe(422)
  await done('POST', `${chats}/chats/${tagged}/tags`, { tags: [tag.id] })
  const agents = [(await one('tagged')).agents[0].id]
  const data = { scores: [{ scoreTypeId, gradeId }], tags: [tag.id] }
  await done('PATCH', `${chats}/chats/${tagged}/draft`, { data })
  await done('DELETE', `${v2}/tags/${tag.id}`, {})
  await done('POST', `${chats}/chats/${tagged}/tags`, { tags: [tag.id] })
  const { reviews } = await done('POST', `${chats}/reviews`, { chatId: tagged, agents, data })
  await done('PATCH', `${chats}/reviews/${reviews[0].id}`, { data: { tags: [tag.id], comment: 'Fine' } })
})
