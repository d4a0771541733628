import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { runChecks } from '../checks/run.ts'
import { packDays } from '../statistics/days.ts'

/** A customer's word is planted wherever people or help desks can write it, and searched in every table and file. */
const WORD = 'zebrafinch'
const email = `${WORD}@customer.example`
const v2 = '/api/qa-controller-v2'
const printed: string[] = []
let t: TestApp
let token: string
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'info' }, { write: (line) => printed.push(line) }))
  token = (await t.somebody('admin')).token
})
afterAll(() => t.close())

/** Tables with a row that has the word. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    t.app.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const table = sql.identifier(name)
    const [row] = await rows(t.app.db, sql`select from ${table} as t where t::text ilike ${`%${word}%`} limit 1`)
    if (row) found.push(name)
  }
  return found
}
const filesWith = (word: string) =>
  readdirSync(t.folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => readFileSync(file).includes(word))

/** A conversation of the customer with the word in everything that a help desk sends. */
const quoting = (kind: 'chat' | 'ticket', id: string) => {
  const item = imported(kind, id)
  const files = [{ name: `${WORD}.pdf`, size: 1, url: `https://desk.example/${WORD}.pdf` }]
  const said = [
    {
      id: `<3@${WORD}.example>`,
      at: '2026-11-20T10:03:00Z',
      author: { name: `${WORD} Berg`, role: 'customer' },
      text: WORD,
      files,
    },
    { id: '5', at: '2026-11-20T10:05:00Z', author: { name: `Robot of ${WORD}`, role: 'bot' }, text: WORD },
    // a person whom the help desk takes for an agent
    { id: '4', at: '2026-11-20T10:04:00Z', author: { id: email, name: `${WORD} Berg`, role: 'agent' }, text: WORD },
  ]
  const customer = { name: `${WORD} Berg`, email }
  return { ...item, subject: `About ${WORD}`, customer, messages: [...item.messages, ...said] }
}

async function settings() {
  const { id: gradeId } = await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  const type = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })
  const { id: source } = await done('POST', `${v2}/sources`, { name: 'Help desk' })
  const items = [quoting('chat', 'c'), quoting('ticket', 't'), quoting('chat', 'calibrated')]
  const raw = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
  await t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
  const problems = JSON.stringify([{ line: 1, reason: `${email} at noon: retracts a message` }])
  await t.app.db.execute(
    sql`update qc_import_runs set problems = ${problems}::jsonb, error = ${`no answer for ${email}`}`,
  )
  return { scoreTypeId: type.id, gradeId }
}

/** Everything that staff can write about a conversation. */
async function write(kind: 'chat' | 'ticket', id: number, scored: { scoreTypeId: number; gradeId: number }) {
  const base = `/api/${kind}-controller-v2`
  const target = { [`${kind}Id`]: id }
  const agent = await t.somebody([])
  const by = await t.somebody([`qa:${kind}:read`, `qa:${kind}:review`])
  const judge = await t.somebody(['qa:manager:access', `qa:${kind}:read`, 'qa:feedback:status', 'qa:escalation:read'])
  await done('POST', `${base}/${kind}s/${id}/queue`, {})
  await done('PATCH', `${base}/${kind}s/${id}/assignee`, { assigneeId: by.id, reason: `Look at ${WORD}` })
  const data = { comment: WORD, scores: [{ ...scored, comment: WORD }], agentReason: WORD }
  await done('PATCH', `${base}/${kind}s/${id}/draft`, { data })
  await done('PATCH', `${base}/${kind}s/${id}/draft`, { data }, by.token)
  const [review] = (await done('POST', `${base}/reviews`, { ...target, agents: [agent.id], data }, by.token)).reviews
  await done('PATCH', `${base}/reviews/${review.id}`, { data: { ...data, comment: `${WORD} again` }, sendStats: true })
  const [removed] = (await done('POST', `${base}/reviews`, { ...target, agents: [judge.id], data })).reviews
  await done('DELETE', `${base}/reviews/${removed.id}`, {})
  const mentioning = { notifyUsers: [by.id] }
  const comment = await done('POST', `${base}/${kind}s/${id}/comments`, { commentData: WORD, ...mentioning })
  await done('PATCH', `${base}/comments/${comment.id}`, { content: `${WORD} again` })
  const note = await done('POST', `${base}/${kind}s/${id}/notes`, { noteData: WORD, ...mentioning })
  await done('PATCH', `${base}/notes/${note.id}`, { content: `${WORD} again` })
  await done('DELETE', `${base}/notes/${note.id}`, {})
  await done('POST', `${base}/reviews/${review.id}/comments`, { commentData: WORD })
  const given = { feedback: WORD, type: 'dispute' }
  const dispute = await done('POST', `${v2}/mine/reviews/${review.id}/feedbacks`, given, agent.token)
  const answer = { status: 'answered', outcome: 'accepted', answer: WORD }
  await done('PATCH', `${base}/feedbacks/${dispute.id}/status`, answer, judge.token)
  const feedback = await done('POST', `${base}/feedbacks`, { ...target, feedback: WORD })
  await done('PATCH', `${base}/feedbacks/${feedback.id}`, { feedback: `${WORD} again` })
  const dto = { reason: WORD, description: WORD, assigneeId: judge.id }
  const escalation = await done('POST', `${base}/escalations`, { ...target, escalationDTO: dto })
  await done('PATCH', `${base}/escalations/${escalation.id}/status`, { status: 'in-progress' })
  await done('PATCH', `${base}/${kind}s/${id}/draft`, { data })
  // refused calls have log rows, too
  expect((await call('POST', `${base}/escalations`, { ...target, escalationDTO: dto })).status).toBe(409)
  const stale = { assigneeId: by.id, reason: WORD, version: 1 }
  expect((await call('PATCH', `${base}/${kind}s/${id}/assignee`, stale)).status).toBe(409)
}

test('an erased customer’s word is in no table, log or file, and the answer counts every place', async () => {
  const scored = await settings()
  const idOf = async (externalId: string) =>
    (
      await rows<{ id: number }>(
        t.app.db,
        sql`select qc_conversation_id as id from qc_conversations where external_id = ${externalId}`,
      )
    )[0]?.id ?? 0
  await write('chat', await idOf('c'), scored)
  await write('ticket', await idOf('t'), scored)
  const scales = ['qa:score-type:read', 'qa:score-grade:read']
  const one = await t.somebody(['qa:chat:read', 'qa:chat:review', ...scales])
  const other = await t.somebody(['qa:chat:read'])
  const about = { conversationId: await idOf('calibrated'), title: `Tone of ${WORD}`, participants: [one.id, other.id] }
  const session = await done('POST', `${v2}/calibrations`, about)
  const data = { comment: WORD, scores: [{ ...scored, comment: WORD }], agentReason: WORD }
  await done('POST', `${v2}/calibrations/${session.id}/reviews`, { data }, one.token)
  await t.app.db.execute(sql`update qc_reviews set submitted_at = now() - interval '3 days'`)
  await packDays(t.app)
  await done('GET', `/api/qa-controller/chat/search/${WORD}`)
  await done('GET', `/api/chat-controller-v2/chats/archive?text=${WORD}&search=${WORD}`)
  await t.app.db.execute(sql`with hook as (insert into webhooks (name, url, owner_id) values ('h', 'https://h.example', ${one.id})
      returning webhook_id as id),
    message as (insert into webhook_deliveries (webhook_id, domain, changed_at, next_at)
      select id, 'qc', now(), now() from hook returning webhook_delivery_id as id)
    insert into webhook_attempts (delivery_id, at, ms, status, body) select id, now(), 1, 500, ${WORD} from message`)

  const planted = await tablesWith(WORD)
  expect(planted.length).toBeGreaterThan(12)
  expect(planted).not.toContain('action_logs')
  expect(planted).not.toContain('notifications')
  const dry = await done('POST', `${v2}/customers/erase`, { email: email.toUpperCase(), isDryRun: true })
  expect(await tablesWith(WORD)).toEqual(planted)
  const erased = await done('POST', `${v2}/customers/erase`, { email: email.toUpperCase() })
  expect(await tablesWith(WORD)).toEqual([])
  expect(filesWith(WORD)).toEqual([])
  expect(printed.filter((line) => line.includes(WORD))).toEqual([])
  expect(erased.places).toEqual(dry.places)
  expect(erased.places.filter(({ rows: n }: { rows: number }) => n === 0)).toEqual([])
  expect(await done('POST', `${v2}/customers/erase`, { email })).toMatchObject({ conversations: 0, messages: 0 })
})

test('nothing of an erased customer comes back by the next import, open forms or changed checks', async () => {
  const { id: source } = await done('POST', `${v2}/sources`, { name: 'A desk with everything' })
  const send = async () => {
    const raw = Buffer.from(JSON.stringify(quoting('chat', 'back')))
    return (await t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })).body
  }
  const rule = { name: 'Says a bird', check: 'forbidden', who: 'customer', patterns: ['zebra[a-z]+'] }
  const { id: ruleId } = await done('POST', `${v2}/checks`, rule)
  await send()
  await runChecks(t.app)
  const [{ id = 0 } = {}] = await rows<{ id: number }>(
    t.app.db,
    sql`select qc_conversation_id as id from qc_conversations where external_id = 'back'`,
  )
  const of = (await done('GET', `${v2}/checks/${ruleId}`)) as { failed: number; version: number }
  expect(of.failed).toBe(1)
  const base = '/api/chat-controller-v2'
  await done('POST', `${base}/chats/${id}/queue`, {})
  const types = (await done('GET', `${v2}/score/types`)).items as { id: number; gradeIds: number[] }[]
  const scores = types.map((type) => ({ scoreTypeId: type.id, gradeId: type.gradeIds[0]!, comment: WORD }))
  const data = { comment: '', scores, agentReason: 'Led the team' }
  const agent = await t.somebody([])
  await done('PATCH', `${base}/chats/${id}/draft`, { data })
  const [review] = (await done('POST', `${base}/reviews`, { chatId: id, agents: [agent.id], data })).reviews
  const comment = await done('POST', `${base}/chats/${id}/comments`, { commentData: WORD })
  await done('POST', `${v2}/customers/erase`, { email })
  await done('PATCH', `${v2}/checks/${ruleId}`, { patterns: ['zebra.+'], version: of.version })

  expect(await send()).toMatchObject({ added: 0 })
  await runChecks(t.app)
  const stale = async (path: string, body: object) =>
    (await call('PATCH', `${base}/${path}`, { ...body, version: 1 })).status
  expect((await call('PATCH', `${base}/chats/${id}/draft`, { data })).status).toBe(422)
  expect(await stale(`reviews/${review.id}`, { data })).toBe(409)
  expect(await stale(`comments/${comment.id}`, { content: WORD })).toBe(409)
  expect(await tablesWith(WORD)).toEqual([])
})

test('the dry run names what quotes the customer elsewhere', async () => {
  const { id: source } = await done('POST', `${v2}/sources`, { name: 'Another desk' })
  const own = {
    ...imported('chat', 'Nora@Customer.example 7'),
    customer: { name: 'Nora', email: 'nora@customer.example' },
  }
  const other = imported('chat', 'other')
  other.messages[1]!.text = 'I wrote to nora@customer.example, too'
  const raw = Buffer.from([own, other].map((item) => JSON.stringify(item)).join('\n'))
  await t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
  await t.app.db.execute(sql`insert into owners (name, email) values ('Nora', 'nora@customer.example')`)
  const { stays } = await done('POST', `${v2}/customers/erase`, { email: 'Nora@customer.example', isDryRun: true })
  for (const place of ['Owners of websites', 'Ids of conversations', 'Conversations of other customers'])
    expect(stays).toContainEqual({ place, rows: 1, why: expect.any(String) })
})
