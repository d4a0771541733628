import { createHash, createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { imported } from '../../test/hostile/world/quality.ts'
import { packDays } from './statistics/days.ts'

let t: TestApp
let token: string
let agent: number
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const made: { source: number; key: string; grades: number[]; types: number[] } = {
  source: 0,
  key: '',
  grades: [],
  types: [],
}

const lines = (...items: unknown[]) => Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
const importing = (...items: unknown[]) =>
  t.call('POST', `${v2}/sources/${made.source}/file`, { token, raw: lines(...items), type: 'application/octet-stream' })
const listed = async (path: string) =>
  (await call('GET', path)).body.items as { id: number; externalId: string; status: string }[]
const idOf = async (externalId: string) => {
  const all = [...(await listed(`${chats}/chats/archive`)), ...(await listed(`${chats}/chats/queue`))]
  const found = all.find((one) => one.externalId === externalId)
  if (!found) throw new Error(`no chat ${externalId}`)
  return found.id
}
const scores = (grade: number) => made.types.map((scoreTypeId) => ({ scoreTypeId, gradeId: grade, comment: 'why' }))

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  agent = (await t.somebody([], 'mari')).id
  for (const [name, value] of [
    ['Poor', 0],
    ['Good', 80],
  ] as const)
    made.grades.push((await call('POST', `${v2}/score/grades`, { name, value })).body.id)
  for (const [name, weight] of [
    ['Solution', 30],
    ['Tone', 10],
  ] as const)
    made.types.push((await call('POST', `${v2}/score/types`, { name, weight, gradeIds: made.grades })).body.id)
  const source = await call('POST', `${v2}/sources`, { name: 'Help desk' })
  made.source = source.body.id
  made.key = source.body.key
})
afterAll(() => t.close())

describe('an import', () => {
  it('adds conversations, and adds nothing when the same items are sent again', async () => {
    const items = ['a', 'b', 'c', 'd'].map((id) => imported('chat', id))
    expect((await importing(...items)).body).toMatchObject({ lines: 4, added: 4, changed: 0, refused: 0 })
    expect((await importing(...items)).body).toMatchObject({ added: 0, changed: 0, unchanged: 4 })
  })
  it('applies an edited and a removed message', async () => {
    const item = imported('chat', 'a')
    const [first, second] = item.messages
    const messages = [
      { ...first, text: 'edited', editedAt: '2026-11-20T11:00:00Z' },
      { ...second, removed: true },
    ]
    expect((await importing({ ...item, messages })).body).toMatchObject({ changed: 1 })
    const { body } = await call('GET', `${chats}/chats/${await idOf('a')}`)
    expect(body.items.map((message: { body: string }) => message.body)).toEqual(['edited', ''])
  })
  it('refuses an invalid line with the reason and imports the rest', async () => {
    const { messages } = imported('chat', 'e')
    const noZone = { ...imported('chat', 'e'), messages: [{ ...messages[0], at: '2026-11-20T10:00:00' }] }
    const { body } = await importing(noZone, { kind: 'mail' }, imported('chat', 'f'))
    expect(body).toMatchObject({ lines: 3, added: 1, refused: 2, problems: [{ line: 1 }, { line: 2 }] })
    expect(body.problems[0].reason).toMatch(/messages\.0\.at/)
  })
  it('assigns conversations to an agent who is mapped later', async () => {
    const [identity] = (await call('GET', `${v2}/identities?unknown=true`)).body.items
    expect((await call('PATCH', `${v2}/identities/${identity.id}`, { userId: agent })).status).toBe(200)
    expect((await call('GET', `${chats}/chats/${await idOf('b')}`)).body.agent).toMatchObject({ id: agent })
  })
  it('over HTTP accepts only a signed body', async () => {
    const raw = lines(imported('chat', 'signed'))
    const time = Math.floor(Date.now() / 1000)
    const sign = (at: number, body: Buffer) =>
      createHmac('sha256', made.key)
        .update(`${at}.${createHash('sha256').update(body).digest('hex')}`)
        .digest('hex')
    const send = (at: number, signature: string) =>
      t.call('POST', `${v2}/import/${made.source}?time=${at}&signature=${signature}`, {
        raw,
        type: 'application/octet-stream',
      })
    expect((await send(time, sign(time, raw))).body).toMatchObject({ added: 1, via: 'http' })
    expect((await send(time, sign(time, Buffer.from('{}')))).status).toBe(401)
    expect((await send(time - 3600, sign(time - 3600, raw))).status).toBe(401)
  })
  it('removes a merged chat from the queue', async () => {
    const id = await idOf('f')
    await call('POST', `${chats}/chats/${id}/queue`, {})
    await importing({ ...imported('chat', 'f'), mergedInto: 'b' })
    expect((await call('GET', `${chats}/chats/${id}`)).body).toMatchObject({
      status: 'cleared',
      mergedIntoId: await idOf('b'),
    })
  })
})

describe('a review', () => {
  const queued = async (externalId: string) => {
    const id = await idOf(externalId)
    await call('POST', `${chats}/chats/${id}/queue`, {})
    return id
  }
  it('is frozen: a later change of a grade does not change past scores', async () => {
    const chatId = await queued('b')
    const [, good = 0] = made.grades
    await call('POST', `${chats}/chats/${chatId}/lease`, {})
    for (const comment of ['h', 'half']) await call('PATCH', `${chats}/chats/${chatId}/draft`, { data: { comment } })
    const { body, status } = await call('POST', `${chats}/reviews`, {
      chatId,
      sendStats: true,
      data: { scores: scores(good) },
    })
    expect({ status, score: body.reviews?.[0]?.score }).toEqual({ status: 201, score: 80 })
    await call('PATCH', `${v2}/score/grades/${good}`, { value: 90 })
    expect((await call('GET', `${chats}/chats/${chatId}`)).body).toMatchObject({ score: 80, status: 'reviewed' })
    await call('PATCH', `${v2}/score/grades/${good}`, { value: 80 })
  })
  it('has one row in the action log, with the number that people know: drafts and leases have none', async () => {
    const chatId = await idOf('b')
    const logged = await rows<{ action: string; subject: string }>(
      t.app.db,
      sql`select action, subject from action_logs where service = 'qa' and resource = 'chat' and resource_id = ${String(chatId)}
        and action <> 'look' order by action_log_id`,
    )
    expect(logged).toEqual(['enqueue', 'review'].map((action) => ({ action, subject: 'b' })))
  })
  it('is kept when the chat is imported again', async () => {
    await importing({ ...imported('chat', 'b'), subject: 'New subject' })
    await call('POST', '/api/qa-controller/chat/sync', {})
    expect((await call('GET', `${chats}/chats/${await idOf('b')}`)).body.status).toBe('reviewed')
  })
  it('belongs to one reviewer at a time: the other gets 409 with the name', async () => {
    const id = await queued('c')
    expect((await call('POST', `${chats}/chats/${id}/lease`, {})).status).toBe(200)
    const other = await t.somebody(['qa:chat:review', 'qa:chat:read'])
    const refusal = await call(
      'POST',
      `${chats}/reviews`,
      { chatId: id, data: { scores: scores(made.grades[1] ?? 0) } },
      other.token,
    )
    expect(refusal).toMatchObject({ status: 409, body: { message: expect.stringContaining('has it open') } })
    await call('DELETE', `${chats}/chats/${id}/lease`)
  })
  it('is postponed with its draft, and only its reviewer can continue', async () => {
    const id = await idOf('c')
    const later = {
      chatId: id,
      reviewLater: true,
      data: { scores: scores(made.grades[1] ?? 0).slice(0, 1), comment: 'half' },
    }
    expect((await call('POST', `${chats}/reviews`, later)).body.reviews).toEqual([])
    expect((await call('GET', `${chats}/chats/${id}`)).body).toMatchObject({
      draft: { comment: 'half' },
      status: 'queued',
    })
  })
  it('of oneself is refused', async () => {
    const own = await t.somebody(['qa:chat:review', 'qa:chat:read'])
    const id = await queued('d')
    const data = { scores: scores(made.grades[1] ?? 0) }
    expect((await call('POST', `${chats}/reviews`, { chatId: id, agents: [own.id], data }, own.token)).status).toBe(422)
  })
  it('of an escalation is refused for another conversation than that of the escalation', async () => {
    const v1 = '/api/qa-controller/escalation'
    const chat = await queued('d')
    const { body } = await call('POST', `${v1}/chat/${chat}`, { agents: [agent], escalationDTO: { reason: 'Rude' } })
    const reviewData = { agents: [agent], agentReason: 'Led', scores: scores(made.grades[1] ?? 0), tags: [] }
    const other = await call('PATCH', `${v1}/${body.id}`, { ticketId: chat, chatId: null, reviewData })
    expect(other).toMatchObject({ status: 422, body: { fields: { ticketId: `Is about chat ${chat}` } } })
    const review = await call('PATCH', `${v1}/${body.id}`, { ticketId: null, chatId: chat, reviewData })
    expect(review).toMatchObject({ status: 200, body: { status: 'reviewed' } })
    const after = (await call('GET', `${chats}/chats/${chat}`)).body
    expect(after).toMatchObject({ status: 'reviewed', score: 80 })
    expect((await call('DELETE', `${chats}/reviews/${after.reviews[0].id}`)).status).toBe(204)
  })
  it('returns the chat to the queue when it is deleted', async () => {
    const id = await idOf('b')
    const [review] = (await call('GET', `${chats}/chats/${id}`)).body.reviews
    expect((await call('DELETE', `${chats}/reviews/${review.id}`)).status).toBe(204)
    expect((await call('GET', `${chats}/chats/${id}`)).body).toMatchObject({
      status: 'queued',
      score: null,
      reviews: [],
    })
  })
})

describe('the queue', () => {
  it('is cleared except for chats that somebody has begun; a dry run clears nothing', async () => {
    const timestamp = '2026-11-22T00:00:00Z'
    const dry = (await call('POST', '/api/qa-controller/chat/clear', { timestamp, isDryRun: true })).body
    const postponed = await idOf('c')
    expect(dry.kept).toEqual([{ id: postponed, reason: expect.stringMatching(/^postponed by/) }])
    const before = await listed(`${chats}/chats/queue`)
    expect(before.map(({ id }) => id)).toEqual(expect.arrayContaining(dry.cleared))
    expect((await call('POST', '/api/qa-controller/chat/clear', { timestamp })).body.cleared).toEqual(dry.cleared)
    expect((await listed(`${chats}/chats/queue`)).map(({ id }) => id)).toEqual([postponed])
  })
  it('finds words of messages and of subjects', async () => {
    const found = await listed(`${chats}/chats/archive?text=website&search=signed`)
    expect(found.map(({ externalId }) => externalId)).toEqual(['signed'])
    expect(await listed(`${chats}/chats/archive?text=unheard`)).toEqual([])
  })
})

describe('statistics', () => {
  it('agree with an independent computation', async () => {
    const ids = [await idOf('a'), await idOf('d'), await idOf('signed')]
    const [poor = 0, good = 0] = made.grades
    const given = [good, good, poor]
    for (const [n, id] of ids.entries()) {
      await call('POST', `${chats}/chats/${id}/queue`, {})
      const { status, body } = await call('POST', `${chats}/reviews`, {
        chatId: id,
        agents: [agent],
        data: { scores: scores(given[n] ?? 0) },
      })
      expect(status, JSON.stringify(body)).toBe(201)
    }
    const values = [80, 80, 0]
    const mean = values.reduce((sum, one) => sum + one, 0) / 3
    const spread = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 2)
    const { body } = await call('GET', '/api/qa-statistics-v2/statistics/overall')
    expect(body).toMatchObject({ n: 3, mean: expect.closeTo(mean), spread: expect.closeTo(spread), withoutScore: 0 })
    expect(body.types.map(({ n }: { n: number }) => n)).toEqual([3, 3])
    const agents = (await call('GET', '/api/qa-statistics-v2/statistics/users')).body
    expect(agents.items).toMatchObject([{ agent: { id: agent }, n: 3, rank: null }])
  })
  it('are the same from packed days, and a change of a review unpacks its day', async () => {
    const { db } = t.app
    await db.execute(sql`update qc_reviews set submitted_at = submitted_at - interval '21 days' where score = 80`)
    const read = async () => {
      const paths = ['overall', 'users', 'overall?kind=chat&from=2026-01-05', `users?agent=${agent}`]
      return Promise.all(
        paths.map(async (path) => (await call('GET', `/api/qa-statistics-v2/statistics/${path}`)).body),
      )
    }
    const before = await read()
    await packDays(t.app)
    const days = () => rows(db, sql`select from qc_review_days`)
    expect((await days()).length).toBeGreaterThan(0)
    expect(await read()).toEqual(before)
    const [old] = await rows<{ id: number }>(
      db,
      sql`select qc_review_id as id from qc_reviews where score = 80 and deleted_at is null`,
    )
    const packed = (await days()).length
    expect(
      (await call('PATCH', `${chats}/reviews/${old?.id}`, { data: { scores: scores(made.grades[0] ?? 0) } })).status,
    ).toBe(200)
    expect(await days()).toHaveLength(packed - 1)
    expect((await call('GET', '/api/qa-statistics-v2/statistics/overall')).body.mean).toBeCloseTo(80 / 3)
  })
})

describe('rights', () => {
  it('let only the reviewer and managers change a review, and show agents only reviews of their own work', async () => {
    const [review] = await rows<{ id: number }>(
      t.app.db,
      sql`select qc_review_id as id from qc_reviews where deleted_at is null`,
    )
    const other = await t.somebody(['qa:chat:review-update', 'qa:chat:review-delete'])
    const manager = await t.somebody(['qa:chat:review-update', 'qa:manager:access'])
    const change = (as: string) => call('PATCH', `${chats}/reviews/${review?.id}`, { data: { comment: 'Seen' } }, as)
    expect((await change(other.token)).status).toBe(403)
    expect((await call('DELETE', `${chats}/reviews/${review?.id}`, undefined, other.token)).status).toBe(403)
    expect((await change(manager.token)).status).toBe(200)
    expect((await call('GET', `${v2}/mine/reviews/${review?.id}`, undefined, other.token)).status).toBe(404)
  })
  it('keep calibration scores from the others until all have submitted, and out of statistics', async () => {
    const scopes = ['qa:score-type:read', 'qa:score-grade:read', 'qa:chat:read']
    const [one, two] = [await t.somebody(scopes), await t.somebody(scopes)]
    const body = { conversationId: await idOf('a'), title: 'Tone', participants: [one.id, two.id] }
    const { id } = (await call('POST', `${v2}/calibrations`, body)).body
    const path = `${v2}/calibrations/${id}`
    const n = (await call('GET', '/api/qa-statistics-v2/statistics/overall')).body.n
    const submit = (grade: number, as: string) =>
      call('POST', `${path}/reviews`, { data: { scores: scores(grade) } }, as)
    expect((await submit(made.grades[0] ?? 0, one.token)).body).toMatchObject({ isRevealed: false, reviews: [{}] })
    expect((await call('GET', path, undefined, two.token)).body).toMatchObject({ reviews: [], types: [] })
    const { body: all } = await submit(made.grades[1] ?? 0, two.token)
    expect(all).toMatchObject({ isRevealed: true, types: [{ range: 80, agreement: 0, mean: 40 }, {}] })
    expect((await call('GET', '/api/qa-statistics-v2/statistics/overall')).body.n).toBe(n)
  })
})

describe('privacy', () => {
  it('removes the texts of a customer, keeps the score, and never imports the texts again', async () => {
    const id = await idOf('a')
    const { score } = (await call('GET', `${chats}/chats/${id}`)).body
    const dry = await call('POST', `${v2}/customers/erase`, { email: 'OLA@customer.example', isDryRun: true })
    const done = await call('POST', `${v2}/customers/erase`, { email: 'ola@customer.example' })
    expect(done.body.conversations).toBe(dry.body.conversations)
    await importing({ ...imported('chat', 'a'), subject: 'Back again' })
    const { body } = await call('GET', `${chats}/chats/${id}`)
    expect(body).toMatchObject({ score, customerEmail: '', subject: '[removed]' })
    expect(body.items.map((message: { body: string }) => message.body)).toEqual(['[removed]', ''])
  })
})
