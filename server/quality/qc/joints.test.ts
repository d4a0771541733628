import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { imported } from '../../test/hostile/world/quality.ts'
import { packDays } from './statistics/days.ts'

/** Reviews, disputes, escalations and merges when people leave or sources change between two steps. */
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

test('a merge is linked when the other chat is imported later, and removed when the source undoes it', async () => {
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

test('quality managers are notified of a dispute if the reviewer has left', async () => {
  const agent = await t.somebody(['qa:chat:read', 'qa:chat:feedback-create'], 'agent')
  const reviewer = await t.somebody(['qa:chat:read', 'qa:chat:review'])
  const manager = await t.somebody(['qa:manager:access'])
  await importing(imported('chat', 'disputed'))
  const chatId = await chat('disputed')
  await done('POST', `${chats}/chats/${chatId}/queue`, {})
  const data = { scores: [{ scoreTypeId, gradeId }], agentReason: 'Led the shift' }
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

test('an escalation can be reviewed and reopened after its agent and its assignee have left', async () => {
  const [agent, assignee] = [await t.somebody([]), await t.somebody(['qa:escalation:read'])]
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

test('a comment can be edited after a mentioned person has left', async () => {
  const [leaver, other] = [await t.somebody(['qa:chat:read']), await t.somebody(['qa:chat:read'])]
  await importing(imported('chat', 'discussed'))
  const path = `${chats}/chats/${await chat('discussed')}/comments`
  const made = await done('POST', path, { commentData: 'Look', notifyUsers: [leaver.id] })
  await leave(leaver.id)
  const rewrite = (notifyUsers: number[]) =>
    call('PATCH', `${chats}/comments/${made.id}`, { content: 'Look again', notifyUsers })
  expect((await rewrite([leaver.id, other.id])).status).toBe(200)
  expect(await told(other, 'mentioned you')).toBe(1)
})

const scored = (grade = gradeId) => ({ scores: [{ scoreTypeId, gradeId: grade }], agentReason: 'Led the shift' })
const queued = async (externalId: string, agent?: string): Promise<number> => {
  await importing(imported('chat', externalId, agent))
  const id = await chat(externalId)
  await done('POST', `${chats}/chats/${id}/queue`, {})
  return id
}
const reviewer = () => t.somebody(['qa:chat:read', 'qa:chat:review', 'qa:chat:review-update'])

test('clearing keeps open, assigned, postponed and begun chats, and sampling never queues cleared chats again', async () => {
  const names = ['clear-open', 'clear-assigned', 'clear-later', 'clear-begun', 'clear-free']
  const ids: number[] = []
  for (const name of names) ids.push(await queued(name, `${name}@example.org`))
  const [open, assigned, later, begun, free] = ids
  const [holder, other, agent] = [await reviewer(), await reviewer(), await t.somebody([])]
  await done('POST', `${chats}/chats/${open}/lease`, {}, holder.token)
  await done('PATCH', `${chats}/chats/${assigned}/assignee`, { assigneeId: other.id })
  await done('POST', `${chats}/reviews`, { chatId: later, reviewLater: true, data: {} }, holder.token)
  await done('PATCH', `${chats}/chats/${begun}/draft`, { data: scored() }, other.token)
  const of = (answer: { cleared: number[]; kept: { id: number; reason: string }[] }) => ({
    cleared: ids.filter((id) => answer.cleared.includes(id)),
    kept: answer.kept.filter(({ id }) => ids.includes(id)).map(({ reason }) => reason.replace(/ (at|by|to) .*/, '')),
  })
  const wanted = { cleared: [free], kept: ['open', 'assigned', 'postponed', 'a review is begun'] }
  const path = '/api/qa-controller/chat/clear'
  const dry = of(await done('POST', path, { isDryRun: true }))
  expect({ ...dry, kept: dry.kept.sort() }).toEqual({ ...wanted, kept: wanted.kept.sort() })
  expect(of(await done('POST', path, {})).cleared).toEqual([free])
  // the cleared chat now has a known agent, so that sampling could choose it
  await t.app.db.execute(sql`update qc_conversations set agent_id = ${agent.id} where qc_conversation_id = ${free}`)
  await done('PATCH', `${v2}/queue-settings`, { kind: 'chat', mode: 'everything', minMessages: 1 })
  await done('POST', '/api/qa-controller/chat/sync', {})
  expect(await one('clear-free')).toMatchObject({ status: 'cleared' })
  await done('PATCH', `${v2}/queue-settings`, { kind: 'chat', mode: 'off' })
  const refused = await call(
    'POST',
    `${chats}/reviews`,
    { chatId: free, agents: [agent.id], data: scored() },
    holder.token,
  )
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The chat was cleared from the queue. Put it back first.',
  ])
})

test('assigning a postponed chat to somebody else ends the postponement', async () => {
  const [first, second, agent] = [await reviewer(), await reviewer(), await t.somebody([])]
  const id = await queued('handed-on')
  await done('POST', `${chats}/reviews`, { chatId: id, reviewLater: true, data: {} }, first.token)
  const body = { chatId: id, agents: [agent.id], data: scored() }
  expect((await call('POST', `${chats}/reviews`, body, second.token)).status).toBe(409)
  await done('PATCH', `${chats}/chats/${id}/assignee`, { assigneeId: second.id })
  await done('POST', `${chats}/reviews`, body, second.token)
})

test('a dispute and an escalation can be finished after the customer was erased', async () => {
  const agent = await t.somebody([])
  const [judge, by] = [await t.somebody(['qa:manager:access', 'qa:chat:read', 'qa:feedback:status']), await reviewer()]
  const id = await queued('disputed-and-escalated')
  const data = {
    scores: [{ ...scored().scores[0], evidence: [(await one('disputed-and-escalated')).items[1].id] }],
    agentReason: 'Led the shift',
  }
  const body = { chatId: id, agents: [agent.id], data, sendStats: true }
  const [review] = (await done('POST', `${chats}/reviews`, body, by.token)).reviews
  await done('PATCH', `${chats}/reviews/${review.id}`, { data, sendStats: true }, by.token)
  expect(await told(agent, 'was reviewed')).toBe(1) // no second notification for a second submission
  const escalation = await done('POST', `${chats}/escalations`, { chatId: id, escalationDTO: { reason: 'Data lost' } })
  const mine = `${v2}/mine/reviews/${review.id}/feedbacks`
  const dispute = await done('POST', mine, { feedback: 'No', type: 'dispute' }, agent.token)
  await done('POST', `${v2}/customers/erase`, { email: 'ola@customer.example' })
  const page = await one('disputed-and-escalated')
  expect(page).toMatchObject({ subject: '[removed]', customerEmail: '', score: 80 })
  expect(page.reviews[0].scores[0].evidence).toEqual([page.items[1].id])
  const answer = { status: 'answered', outcome: 'accepted', answer: 'Right' }
  await done('PATCH', `${chats}/feedbacks/${dispute.id}/status`, answer, judge.token)
  expect((await done('GET', `${chats}/escalations/${escalation.id}`)).status).toBe('open')
  await done('DELETE', `${chats}/reviews/${review.id}`)
  expect(await one('disputed-and-escalated')).toMatchObject({ status: 'queued', score: null })
  const logged = await rows(
    t.app.db,
    sql`select from action_logs where to_jsonb(action_logs)::text like '%ola@customer.example%'`,
  )
  expect(logged).toHaveLength(0)
})

test('two disputes of a review at once make one, and reopening escalations at once leaves one open', async () => {
  const [agent, by] = [await t.somebody([]), await reviewer()]
  const id = await queued('disputed-twice')
  const body = { chatId: id, agents: [agent.id], data: scored() }
  const [review] = (await done('POST', `${chats}/reviews`, body, by.token)).reviews
  const dispute = { feedback: 'No', type: 'dispute' }
  const mine = `${v2}/mine/reviews/${review.id}/feedbacks`
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', mine, dispute, agent.token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const second = sql`insert into qc_feedbacks (kind, conversation_id, review_id, type, content)
    values ('chat', ${id}, ${review.id}, 'dispute', 'No')`
  await expect(t.app.db.execute(second)).rejects.toThrow()
  const escalate = async () => {
    const one = await done('POST', `${chats}/escalations`, { chatId: id, escalationDTO: { reason: 'Angry' } })
    await done('PATCH', `${chats}/escalations/${one.id}/status`, { status: 'reviewed' })
    return one.id
  }
  const ids = [await escalate(), await escalate()]
  const reopened = await Promise.all(
    ids.map((one) => call('PATCH', `${chats}/escalations/${one}/status`, { status: 'open' })),
  )
  expect(reopened.map(({ status }) => status).sort()).toEqual([200, 422])
})

test('a deleted review is restored with its dispute and figures, and the agent is notified once', async () => {
  const agent = await t.somebody([])
  const scopes = ['qa:chat:read', 'qa:chat:review', 'qa:chat:review-delete', 'qa:feedback:status']
  const by = await t.somebody([...scopes, 'qa:chat:review-restore'])
  const id = await queued('restored')
  const body = { chatId: id, agents: [agent.id], data: scored(), sendStats: true }
  const [review] = (await done('POST', `${chats}/reviews`, body, by.token)).reviews
  const mine = `${v2}/mine/reviews/${review.id}`
  const dispute = await done('POST', `${mine}/feedbacks`, { feedback: 'No', type: 'dispute' }, agent.token)
  const figures = async () => (await done('GET', `/api/qa-statistics-v2/statistics/users/${agent.id}`)).n
  await t.app.db.execute(
    sql`update qc_reviews set submitted_at = now() - interval '3 days' where qc_review_id = ${review.id}`,
  )
  await packDays(t.app)
  await done('DELETE', `${chats}/reviews/${review.id}`, undefined, by.token)
  await packDays(t.app)
  expect([await figures(), (await one('restored')).status]).toEqual([0, 'queued'])
  // a reviewer rejects no dispute of their own review, also while it is deleted
  const reject = { status: 'answered', outcome: 'rejected' }
  expect((await call('PATCH', `${chats}/feedbacks/${dispute.id}/status`, reject, by.token)).status).toBe(403)
  expect(await one('restored')).toMatchObject({ reviews: [], deletedReviews: [{ id: review.id }] })
  const restored = await done('POST', `${chats}/reviews/${review.id}/restore`, {}, by.token)
  expect(restored).toMatchObject({ score: 80, deletedAt: null, comment: review.comment })
  expect([await figures(), (await one('restored')).status]).toEqual([1, 'reviewed'])
  expect((await done('GET', mine, undefined, agent.token)).feedbacks).toMatchObject([{ id: dispute.id }])
  await done('PATCH', `${chats}/reviews/${review.id}`, { sendStats: true })
  expect(await told(agent, 'was reviewed')).toBe(1)
  expect((await call('POST', `${chats}/reviews/${review.id}/restore`, {}, by.token)).status).toBe(409)
})

test('a review is not restored over a second review, over an open item, or by its agent', async () => {
  const scopes = ['qa:chat:read', 'qa:chat:review', 'qa:chat:review-restore', 'qa:manager:access']
  const [agent, second] = [await t.somebody(scopes), await t.somebody(scopes)]
  const id = await queued('restored-twice')
  const review = async (as = token): Promise<number> =>
    (await done('POST', `${chats}/reviews`, { chatId: id, agents: [agent.id], data: scored() }, as)).reviews[0].id
  const remove = (which: number) => done('DELETE', `${chats}/reviews/${which}`)
  const restore = async (which: number, as = token) => {
    const { status, body } = await call('POST', `${chats}/reviews/${which}/restore`, {}, as)
    return [status, body.message]
  }
  const first = await review()
  await remove(first)
  expect((await restore(first, agent.token))[0]).toBe(403)
  await done('POST', `${chats}/chats/${id}/lease`, {}, second.token)
  expect(await restore(first)).toEqual([409, expect.stringMatching(/has it open$/)])
  const other = await review(second.token)
  expect(await restore(first)).toEqual([409, expect.stringMatching(/again meanwhile/)])
  await remove(other)
  await done('POST', '/api/qa-controller/chat/clear', {})
  expect(await one('restored-twice')).toMatchObject({ status: 'cleared' })
  expect((await restore(first))[0]).toBe(200)
  expect(await one('restored-twice')).toMatchObject({ status: 'reviewed', score: 80 })
  const list = '/api/qa-statistics-v2/statistics/reviews?deletedOnly=true'
  const seen = (await done('GET', list)).items.map((line: { id: number }) => line.id)
  expect([seen.includes(other), seen.includes(first)]).toEqual([true, false])
  const reader = await t.somebody(['qa:chat:read', 'qa:statistics:read'])
  expect((await call('GET', list, undefined, reader.token)).status).toBe(403)
  expect((await done('GET', `${chats}/chats/${id}`, undefined, reader.token)).deletedReviews).toEqual([])
})

test('a review is restored whatever happened to its conversation and its people meanwhile', async () => {
  const [agent, author, other] = [await t.somebody([]), await reviewer(), await reviewer()]
  const names = ['postponed', 'escalated', 'merged', 'redacted']
  const made = new Map<string, { chat: number; review: number }>()
  for (const name of names) {
    const id = await queued(`back-${name}`)
    const body = { chatId: id, agents: [agent.id], data: scored() }
    const [review] = (await done('POST', `${chats}/reviews`, body, author.token)).reviews
    await done('DELETE', `${chats}/reviews/${review.id}`)
    made.set(name, { chat: id, review: review.id })
  }
  const of = (name: string) => made.get(name) ?? { chat: 0, review: 0 }
  const later = (as: string) =>
    done('POST', `${chats}/reviews`, { chatId: of('postponed').chat, reviewLater: true }, as)
  const restore = (name: string) => call('POST', `${chats}/reviews/${of(name).review}/restore`, {})

  await later(other.token)
  const refused = await restore('postponed')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/postponed it$/)])
  const escalation = await done('POST', `${chats}/escalations`, {
    ...{ chatId: of('escalated').chat, agents: [agent.id] },
    escalationDTO: { reason: 'Angry' },
  })
  await importing({ ...imported('chat', 'back-merged'), mergedInto: 'back-redacted' })
  expect(await one('back-merged')).toMatchObject({ status: 'cleared' })
  await t.app.db.execute(
    sql`update qc_conversations set customer_email = 'back@customer.example' where qc_conversation_id = ${of('redacted').chat}`,
  )
  await done('POST', `${v2}/customers/erase`, { email: 'back@customer.example' })
  await leave(other.id)
  await leave(author.id)
  await leave(agent.id)

  for (const name of names) {
    const restored = await restore(name)
    expect([name, restored.status, restored.body.message]).toEqual([name, 200, undefined])
    expect(restored.body).toMatchObject({ score: 80, reviewer: { id: author.id }, agent: { id: agent.id } })
    expect(await one(`back-${name}`)).toMatchObject({ status: 'reviewed', score: 80, postponedBy: null })
    const logged = await rows<{ resourceId: string; before: { deletedAt: string }; after: { deletedAt: null } }>(
      t.app.db,
      sql`select before, after, resource_id as "resourceId" from action_logs where action = 'review-restore' and result = 'success'
        order by action_log_id desc limit 1`,
    )
    expect(logged).toMatchObject([
      { resourceId: String(of(name).review), before: { deletedAt: expect.any(String) }, after: { deletedAt: null } },
    ])
  }
  expect(await one('back-merged')).toMatchObject({ mergedIntoId: of('redacted').chat })
  expect((await one('back-redacted')).items[0].body).toBe('[removed]')
  expect(await done('GET', `${chats}/escalations/${escalation.id}`)).toMatchObject({ status: 'open' })
  expect((await done('GET', `${chats}/escalations/${escalation.id}/reviews`)).items).toHaveLength(1)
})

test('an agent hears of a changed, a deleted and a restored score, and a dispute ends and opens with its review', async () => {
  await importing(imported('chat', 'heard'))
  const agent = await t.somebody([])
  const chatId = await chat('heard')
  await t.app.db.execute(sql`update qc_conversations set agent_id = ${agent.id}, agent_ids = ${sql.param([agent.id])}::int[]
    where qc_conversation_id = ${chatId}`)
  const data = { scores: [{ scoreTypeId, gradeId }], agentReason: 'Led the shift' }
  const { id: poor } = (await done('GET', `${v2}/score/grades`)).items.find(
    ({ name }: { name: string }) => name === 'Poor',
  )
  await done('POST', `${chats}/reviews`, { chatId, agents: [agent.id], data })
  const own = () => done('GET', `${v2}/mine/reviews`, undefined, agent.token)
  const [review] = (await own()).items
  const page = () => done('GET', `${v2}/mine/reviews/${review.id}`, undefined, agent.token)
  const link = `/qc-v2/mine/review?review=${review.id}`
  const heard = async (text: string) =>
    (
      await rows(
        t.app.db,
        sql`select from notifications where user_id = ${agent.id} and title like ${`%${text}%`} and link = ${link}`,
      )
    ).length

  await done('PATCH', `${chats}/reviews/${review.id}`, { data: { comment: 'Friendly' } })
  expect(await heard('was changed')).toBe(0) // no grade has changed
  await done('PATCH', `${chats}/reviews/${review.id}`, { data: { scores: [{ scoreTypeId, gradeId: poor }] } })
  expect(await heard('was changed')).toBe(1)
  expect((await page()).changes[0].changes).toContainEqual({ field: 'Score', before: '80.0', after: '0.0' })
  expect(
    (await done('GET', `${v2}/mine/reviews/${review.id}/conversation`, undefined, agent.token)).items,
  ).toHaveLength(2)
  const stranger = await t.somebody([])
  expect((await call('GET', `${v2}/mine/reviews/${review.id}/conversation`, undefined, stranger.token)).status).toBe(
    404,
  )

  const dispute = { feedback: 'It was friendly', type: 'dispute' }
  await done('POST', `${v2}/mine/reviews/${review.id}/feedbacks`, dispute, agent.token)
  await done('DELETE', `${chats}/reviews/${review.id}`, {})
  expect([await heard('was deleted'), await heard('is closed')]).toEqual([1, 1])
  expect(await page()).toMatchObject({
    feedbacks: [{ status: 'closed', outcome: null, answer: 'The review was deleted.' }],
    disputableUntil: null,
  })
  expect((await own()).items).toEqual([])
  expect((await call('POST', `${v2}/mine/reviews/${review.id}/feedbacks`, dispute, agent.token)).status).toBe(422)

  await done('POST', `${chats}/reviews/${review.id}/restore`, {})
  expect(await heard('was restored')).toBe(1)
  const { feedbacks } = await page()
  expect(feedbacks).toMatchObject([{ status: 'open', outcome: null, answer: '', answeredAt: null }])
  await done('PATCH', `${chats}/feedbacks/${feedbacks[0].id}/status`, {
    status: 'answered',
    outcome: 'accepted',
    answer: 'Yes',
  })
  expect(await heard('is answered')).toBe(1)
})
