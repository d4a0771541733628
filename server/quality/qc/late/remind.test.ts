import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { remindOfLate } from './remind.ts'

/** Dates that pass: of disputes, escalations and calibrations. */
let t: TestApp
let token: string
let manager: { id: number; token: string }
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const done = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, as = token) => {
  const answer = await t.call(method, path, { token: as, ...(body !== undefined && { body }) })
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const told = ({ id }: { id: number }) =>
  rows<{ title: string; link: string }>(
    t.app.db,
    sql`select title, link from notifications where user_id = ${id} and title like '%past their date%'
      or user_id = ${id} and title like '%past its date%' order by notification_id`,
  )
/** Makes dates of a table pass. */
const pass = (table: string) => t.app.db.execute(sql`update ${sql.raw(table)} set due_at = now() - interval '1 minute'`)
const chatOf = async (name: string) =>
  (await done('GET', `${chats}/chats/archive?search=${name}`)).items[0].id as number
const read = ['qa:chat:read', 'qa:escalation:read', 'qa:feedback:read', 'qa:score-type:read', 'qa:score-grade:read']

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  manager = await t.somebody(['qa:manager:access', 'qa:feedback:status', ...read])
  const source = await done('POST', `${v2}/sources`, { name: 'Help desk' })
  const items = ['first', 'second', 'third', 'fourth'].map((name) => JSON.stringify(imported('chat', name)))
  const raw = Buffer.from(items.join('\n'))
  await t.call('POST', `${v2}/sources/${source.id}/file`, { token, raw, type: 'application/octet-stream' })
})
afterAll(() => t.close())

test('who decides a dispute is reminded once of its date, and again of a later one; the list finds it', async () => {
  const reviewer = await t.somebody(['qa:chat:review', 'qa:feedback:status', ...read])
  const bystander = await t.somebody(['qa:manager:access', 'qa:chat:read'])
  const [agent, other] = [await t.somebody([]), await t.somebody(['qa:manager:access', 'qa:feedback:status'])]
  const [good, poor] = [
    await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 }),
    await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 }),
  ]
  const gradeIds = [good.id, poor.id]
  const { id: scoreTypeId } = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds })
  const disputeOf = async (name: string) => {
    const chatId = await chatOf(name)
    await t.app.db.execute(sql`update qc_conversations set agent_ids = ${sql.param([agent.id, other.id])}::int[],
      agent_id = ${agent.id} where qc_conversation_id = ${chatId}`)
    const data = { scores: [{ scoreTypeId, gradeId: poor.id }] }
    const { reviews } = await done('POST', `${chats}/reviews`, { chatId, agents: [agent.id], data }, reviewer.token)
    const wish = { feedback: 'Not me', type: 'dispute', proposes: { agentId: other.id } }
    return done('POST', `${v2}/mine/reviews/${reviews[0].id}/feedbacks`, wish, agent.token)
  }
  const { id } = await disputeOf('first')
  await remindOfLate(t.app)
  expect(await told(reviewer)).toEqual([])
  await pass('qc_feedbacks')
  await remindOfLate(t.app)
  await remindOfLate(t.app)
  const one = { title: 'The dispute about chat first is past its date', link: `/qc-v2/chat-feedbacks/${id}` }
  for (const deciding of [reviewer, manager]) expect(await told(deciding)).toEqual([one])
  // the agent, who is proposed, and managers who may not decide
  for (const silent of [agent, other, bystander]) expect(await told(silent)).toEqual([])
  const late = await done('GET', `${chats}/feedbacks?overdue=true`)
  expect(late.items.map((row: { id: number }) => row.id)).toEqual([id])

  await disputeOf('second')
  await pass('qc_feedbacks')
  await remindOfLate(t.app)
  const two = { title: '2 disputes are past their date', link: '/qc-v2/feedbacks?overdue=true' }
  expect(await told(manager)).toEqual([one, two])
  await t.app.db.execute(sql`update qc_feedbacks set status = 'closed'`)
  await pass('qc_feedbacks')
  await remindOfLate(t.app)
  expect([await told(manager), (await done('GET', `${chats}/feedbacks?overdue=true`)).total]).toEqual([[one, two], 0])
})

test('an escalation reminds its assignee, or managers if nobody who may read it is assigned', async () => {
  const before = (await told(manager)).length
  const assignee = await t.somebody(['qa:escalation:create', ...read])
  const escalate = async (name: string, assigneeId: number | null) => {
    const escalationDTO = { reason: 'Angry', assigneeId, dueAt: '2026-01-01T10:00:00Z' }
    return (await done('POST', `${chats}/escalations`, { chatId: await chatOf(name), escalationDTO })).id as number
  }
  const [own, nobodys] = [await escalate('third', assignee.id), await escalate('fourth', null)]
  await remindOfLate(t.app)
  await remindOfLate(t.app)
  const named = (name: string, id: number) => ({
    title: `The escalation of chat ${name} is past its date`,
    link: `/qc-v2/chat-escalations/${id}`,
  })
  expect(await told(assignee)).toEqual([named('third', own)])
  expect((await told(manager)).slice(before)).toEqual([named('fourth', nobodys)])
  const late = async () =>
    (await done('GET', `${chats}/escalations?overdue=true`)).items.map(({ id }: { id: number }) => id)
  expect(await late()).toEqual([nobodys, own])
  await t.app.db.execute(
    sql`update qc_escalations set due_at = now() + interval '1 day' where qc_escalation_id = ${own}`,
  )
  expect(await late()).toEqual([nobodys])
})

test('a calibration reminds who has not submitted, and who holds it', async () => {
  const [done1, missing] = [await t.somebody(read), await t.somebody(read)]
  const session = { conversationId: await chatOf('first'), title: 'Together', participants: [done1.id, missing.id] }
  const { id } = await done('POST', `${v2}/calibrations`, { ...session, dueAt: '2026-01-01T10:00:00Z' }, manager.token)
  await t.app.db.execute(sql`update qc_calibration_reviews set submitted_at = now() where reviewer_id = ${done1.id}`)
  const before = (await told(manager)).length
  await remindOfLate(t.app)
  await remindOfLate(t.app)
  const one = { title: 'The calibration Together is past its date', link: `/qc-v2/calibrations/${id}` }
  expect([await told(missing), await told(done1), (await told(manager)).slice(before)]).toEqual([[one], [], [one]])
})
