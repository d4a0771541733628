import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'

/** The next item of a submission, and its lease. */
let t: TestApp
let token: string
let scoreTypeId: number
let gradeId: number
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const done = async (method: 'GET' | 'POST', path: string, body?: unknown, as = token) => {
  const answer = await t.call(method, path, { token: as, ...(body !== undefined && { body }) })
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const reviewer = () => t.somebody(['qa:chat:read', 'qa:chat:review'])
const last = async (as: string) => (await done('GET', '/api/qa-controller/chat/last', undefined, as)).chat?.id
const holderOf = async (id: number) => (await done('GET', `${chats}/chats/${id}`)).holder?.id

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  gradeId = (await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })).id
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  scoreTypeId = (await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })).id
  const { id } = await done('POST', `${v2}/sources`, { name: 'Help desk' })
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) => JSON.stringify(imported('chat', name)))
  const raw = Buffer.from(items.join('\n'))
  await t.call('POST', `${v2}/sources/${id}/file`, { token, raw, type: 'application/octet-stream' })
  await t.app.db.execute(sql`update qc_conversations set status = 'queued', queued_by = 'manual', queued_at = now()`)
})
afterAll(() => t.close())

test('two submissions at once take the leases of different next items', async () => {
  const [first, second, agent] = [await reviewer(), await reviewer(), await t.somebody([])]
  const [a = 0, b = 0] = (
    await rows<{ id: number }>(t.app.db, sql`select qc_conversation_id as id from qc_conversations order by 1`)
  ).map(({ id }) => id)
  const submit = (chatId: number, as: string) => {
    const data = { scores: [{ scoreTypeId, gradeId }], agentReason: 'Led the shift' }
    return done('POST', `${chats}/reviews`, { chatId, agents: [agent.id], data, takeNext: true }, as)
  }
  await done('POST', `${chats}/chats/${a}/lease`, {}, first.token)
  await done('POST', `${chats}/chats/${b}/lease`, {}, second.token)
  const [mine, theirs] = await Promise.all([submit(a, first.token), submit(b, second.token)])
  expect(mine.nextId).not.toBe(theirs.nextId)
  expect([await holderOf(mine.nextId), await holderOf(theirs.nextId)]).toEqual([first.id, second.id])
  const refused = await t.call('POST', `${chats}/chats/${mine.nextId}/lease`, { token: second.token, body: {} })
  expect(refused.status).toBe(409)
})

test('the last chat of a reviewer is passed over once somebody else has it open, has postponed or has reviewed it', async () => {
  const [first, second, agent] = [await reviewer(), await reviewer(), await t.somebody([])]
  const begun = (await done('GET', `${chats}/chats/queue?itemsPerPage=50`)).items
    .filter(({ holder }: { holder: object | null }) => !holder)
    .at(-1).id as number
  const data = { scores: [{ scoreTypeId, gradeId }], agentReason: 'Led the shift' }
  await t.call('PATCH', `${chats}/chats/${begun}/draft`, { token: first.token, body: { data } })
  expect(await last(first.token)).toBe(begun)
  await done('POST', `${chats}/chats/${begun}/lease`, {}, second.token)
  expect(await last(first.token)).not.toBe(begun)
  await done('POST', `${chats}/reviews`, { chatId: begun, reviewLater: true, data }, second.token)
  expect(await last(first.token)).not.toBe(begun)
  await done('POST', `${chats}/reviews`, { chatId: begun, agents: [agent.id], data }, second.token)
  expect([await last(first.token), await last(second.token)]).not.toContain(begun)
})
