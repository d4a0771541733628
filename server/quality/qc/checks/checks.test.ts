import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { refill } from '../conversations/refill.ts'
import { redact } from '../privacy/redact.ts'
import { checkSome, runChecks } from './run.ts'

/** Automatic checks and what meets them: imports, changed and deleted rules, erased words, readers, the queue. */
let t: TestApp
let token: string
let source: number
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2/chats'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const chat = (id: string, text: string) => {
  const item = imported('chat', id)
  return { ...item, messages: item.messages.map((one, n) => (n ? { ...one, text } : one)) }
}
const importing = (...items: unknown[]) => {
  const raw = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
  return t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
}
const idOf = async (externalId: string) =>
  (
    await rows<{ id: number }>(
      t.app.db,
      sql`select qc_conversation_id as id from qc_conversations where external_id = ${externalId}`,
    )
  )[0]?.id ?? 0
const checksOf = async (externalId: string) =>
  ((await done('GET', `${chats}/${await idOf(externalId)}`)).checks?.items ?? []).map(
    ({ name, result }: { name: string; result: string }) => `${name} ${result}`,
  )
const rule = (name: string, words: string[], more: object = {}) =>
  done('POST', `${v2}/checks`, { name, check: 'forbidden', words, ...more })

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  const { id: agent } = await t.somebody([], 'mari')
  source = (await done('POST', `${v2}/sources`, { name: 'Help desk' })).id
  await importing(chat('calm', 'I look into it'), chat('rude', 'Obviously it is down'))
  await done('PATCH', `${v2}/identities/1`, { userId: agent })
})
afterAll(() => t.close())

test('a new rule judges all conversations, an import is judged again, and the numbers of the rule follow', async () => {
  const { id, progress } = await rule('Patronises', ['obviously'])
  expect(progress).toBe(0)
  await runChecks(t.app)
  expect([await checksOf('calm'), await checksOf('rude')]).toEqual([['Patronises passed'], ['Patronises failed']])
  expect(await done('GET', `${v2}/checks/${id}`)).toMatchObject({ passed: 1, failed: 1, progress: 100 })
  await importing(chat('rude', 'Sorry'), chat('calm', 'Obviously'), chat('late', 'Well, obviously'))
  expect((await done('GET', `${chats}/${await idOf('rude')}`)).checks.isDue).toBe(true)
  await runChecks(t.app)
  expect(await checksOf('rude')).toEqual(['Patronises passed'])
  expect(await done('GET', `${v2}/checks/${id}`)).toMatchObject({ passed: 1, failed: 2 })
})

test('a rule that changes while it runs begins anew, and a rule that is off or deleted loses its results', async () => {
  const made = await rule('Swears', ['damn'])
  await checkSome(t.app.db)
  const changed = await done('PATCH', `${v2}/checks/${made.id}`, { words: ['sorry'], version: made.version })
  expect(changed.progress).toBe(0)
  await runChecks(t.app)
  expect(await checksOf('rude')).toEqual(['Swears failed', 'Patronises passed'])
  const named = await done('PATCH', `${v2}/checks/${made.id}`, { name: 'Excuses', version: changed.version })
  expect(named.progress).toBe(100)
  const off = await done('PATCH', `${v2}/checks/${made.id}`, { isActive: false, version: named.version })
  expect(await checksOf('rude')).toEqual(['Patronises passed'])
  await runChecks(t.app)
  expect(await done('GET', `${v2}/checks/${made.id}`)).toMatchObject({ passed: 0, failed: 0 })
  await done('DELETE', `${v2}/checks/${made.id}`, { version: off.version })
  await runChecks(t.app)
  expect(await rows(t.app.db, sql`select from qc_check_results where ${made.id} = any(passed || failed)`)).toHaveLength(
    0,
  )
  expect(await rows(t.app.db, sql`select from qc_check_rules where cursor is not null`)).toHaveLength(0)
})

test('results stay when words are erased, and go when their rule changes', async () => {
  await importing(chat('erased', 'Obviously'))
  const made = await rule('Says well', ['well'])
  await runChecks(t.app)
  const before = await checksOf('erased')
  expect(before).toEqual(['Patronises failed', 'Says well passed'])
  await redact(t.app.db, [await idOf('erased')])
  await t.app.db.execute(sql`update qc_check_results set due_at = now() - interval '1 second'`)
  await runChecks(t.app)
  expect(await checksOf('erased')).toEqual(before)
  await done('PATCH', `${v2}/checks/${made.id}`, { words: ['fine'], version: made.version })
  await runChecks(t.app)
  expect(await checksOf('erased')).toEqual(['Patronises failed'])
})

test('lists find and order what failed; only who may see checks may filter by a rule', async () => {
  const [patronises] = (await done('GET', `${v2}/checks?search=Patronises`)).items
  const found = async (query: string) =>
    (await done('GET', `${chats}/archive?${query}`)).items.map(({ externalId }: { externalId: string }) => externalId)
  expect((await found(`failed=${patronises.id}`)).sort()).toEqual(['calm', 'erased', 'late'])
  expect((await found('anyFailed=true')).sort()).toEqual(['calm', 'erased', 'late'])
  expect(await found('sort=failedChecks')).toHaveLength(3)
  const numbers = async (query: string) => {
    const { items, total } = await done('GET', `${chats}/archive?${query}`)
    return [items.length, total]
  }
  for (const filter of [`failed=${patronises.id}`, 'anyFailed=true', `anyFailed=true&failed=${patronises.id}`]) {
    for (const sort of ['failedChecks', 'lastAt']) expect(await numbers(`${filter}&sort=${sort}`)).toEqual([3, 3])
    // none has a score
    expect(await numbers(`${filter}&sort=score`)).toEqual([0, 0])
  }
  expect((await done('GET', '/api/qa-controller/chat?sortBy=failedChecks')).items).toHaveLength(3)
  const reader = (await t.somebody(['qa:chat:read'])).token
  expect((await call('GET', `${chats}/archive?failed=${patronises.id}`, undefined, reader)).status).toBe(403)
  expect((await call('GET', `${chats}/${await idOf('late')}`, undefined, reader)).body.checks).toBeNull()
})

test('trying a rule needs the right to read the conversation, quotes it, and stores nothing', async () => {
  const asked = { kind: 'chat', externalId: 'late', check: 'forbidden', words: ['obviously'] }
  expect(await done('POST', `${v2}/checks/try`, asked)).toMatchObject({ result: 'failed', excerpts: ['obviously'] })
  const reader = (await t.somebody(['qa:check:read'])).token
  expect((await call('POST', `${v2}/checks/try`, asked, reader)).status).toBe(403)
  const absent = await call('POST', `${v2}/checks/try`, { ...asked, externalId: 'nowhere' })
  expect([absent.status, Object.keys(absent.body.fields)]).toEqual([422, ['externalId']])
  const bad = await call('POST', `${v2}/checks`, { name: 'Bad', check: 'wanted', patterns: ['(a'] })
  expect([bad.status, Object.keys(bad.body.fields)]).toEqual([422, ['patterns']])
})

test('the rule is compared with human scores of its type, and never counts as a review', async () => {
  const good = await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })
  const poor = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  const type = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [poor.id, good.id] })
  for (const [id, gradeId] of [
    ['calm', poor.id],
    ['late', good.id],
    ['rude', good.id],
  ] as const)
    await done('POST', '/api/chat-controller-v2/reviews', {
      ...{ chatId: await idOf(id), data: { scores: [{ scoreTypeId: type.id, gradeId }] } },
    })
  const [patronises] = (await done('GET', `${v2}/checks?search=Patronises`)).items
  const after = await done('PATCH', `${v2}/checks/${patronises.id}`, {
    scoreTypeId: type.id,
    version: patronises.version,
  })
  expect(after).toMatchObject({ progress: 100, agreement: { compared: 3, failed: 2, failedAndLow: 1, low: 1 } })
  expect((await done('GET', '/api/qa-statistics-v2/statistics/overall')).n).toBe(3)
})

test('the queue draws what failed the most checks, as a population of its own', async () => {
  await importing(
    ...['x1', 'x2', 'x3'].map((id) => chat(id, id === 'x2' ? 'Obviously fine' : id === 'x3' ? 'Obviously' : 'Good')),
  )
  await runChecks(t.app)
  await t.app.db.execute(sql`update qc_conversations set last_at = now() - interval '1 day', created_at = now() - interval '1 day'
    where external_id in ('x1', 'x2', 'x3')`)
  await t.app.db.execute(sql`update qc_check_results set failed_count = 5 where conversation_id = ${await idOf('x2')}`)
  const { version } = await done('GET', `${v2}/queue-settings?kind=chat`)
  const settings = { kind: 'chat', mode: 'checks', quota: 1, period: 'day', newFactor: 1, minMessages: 1, version }
  await done('PATCH', `${v2}/queue-settings`, settings)
  await t.app.db.transaction((tx) => refill(tx, 'chat'))
  const { items } = await done('GET', `${chats}/queue`)
  expect(items.map(({ externalId, queuedBy }: Record<string, string>) => [externalId, queuedBy])).toEqual([
    ['x2', 'checks'],
  ])
})
