import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { runChecks } from '../checks/run.ts'
import { refillAll } from '../conversations/refill.ts'
import { packDays } from '../statistics/days.ts'
import { redactOld } from './redact.ts'

/**
 * A customer is erased while everybody writes about their conversations, over connections of their own. People write what they have
 * read: as soon as a page shows the erasure, they quote nothing. The embedded database runs one call after the other.
 */
const onPostgres = process.env.TEST_POSTGRES ? {} : { skip: true, meta: { why: 'TEST_POSTGRES is not set' } }
const v2 = '/api/qa-controller-v2'
let t: TestApp
let token: string
let scored: { scoreTypeId: number; gradeId: number }
let judge: Awaited<ReturnType<TestApp['somebody']>>
let agent: Awaited<ReturnType<TestApp['somebody']>>
let reader: Awaited<ReturnType<TestApp['somebody']>>
/** Answers that nobody should get, whatever happens at once. */
const wrong: string[] = []
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, as = token) => {
  // the kept answers of these calls quote, too
  const isKept = method === 'POST' && /\/(comments|notes|reviews|escalations|feedbacks|calibrations)$/.test(path)
  const headers: Record<string, string> = isKept ? { 'idempotency-key': crypto.randomUUID() } : {}
  const answer = await t.call(method, path, { token: as, headers, ...(body && { body }) })
  if (answer.status >= 500) wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  const { id: gradeId } = await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })
  const { id: poor } = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  const type = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] })
  scored = { scoreTypeId: type.id, gradeId }
  await done('POST', `${v2}/checks`, { name: 'A bird', check: 'forbidden', who: 'customer', patterns: ['zebra.*'] })
  await done('PATCH', `${v2}/queue-settings`, { kind: 'chat', mode: 'everything', minMessages: 1 })
  const scopes = ['qa:manager:access', 'qa:feedback:status', 'qa:feedback:read']
  judge = await t.somebody([...scopes, 'qa:chat:read', 'qa:ticket:read'])
  reader = await t.somebody(['qa:chat:read', 'qa:ticket:read'])
  agent = await t.somebody([])
  // connections are open before anything is measured against another
  await Promise.all(Array.from({ length: 16 }, () => call('GET', '/api/auth/validate')))
})
afterAll(() => t.close())

interface Round {
  word: string
  source: number
  email: string
  kinds: { kind: 'chat' | 'ticket'; id: number; base: string }[]
  send(): Promise<unknown>
}
async function open(n: number): Promise<Round> {
  const word = `zebrafinch${n}`
  const email = `${word}@customer.example`
  const { id: source } = await done('POST', `${v2}/sources`, { name: `Desk ${n}` })
  let version = 0
  const send = () => {
    version += 1
    const items = (['chat', 'ticket'] as const).flatMap((kind) =>
      ['a', 'b', 'c'].map((name) => {
        const item = imported(kind, `${kind}-${n}-${name}`, email)
        for (const message of item.messages) message.text = `${word} wrote ${version}`
        return { ...item, subject: `About ${word} ${version}`, customer: { name: `${word} Berg`, email } }
      }),
    )
    const raw = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
    return t
      .call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
      .then(({ status, body }) => status >= 500 && wrong.push(`import: ${status} ${JSON.stringify(body)}`))
  }
  await send()
  const kinds = await rows<{ kind: 'chat' | 'ticket'; id: number; base: string }>(
    t.app.db,
    sql`select kind, qc_conversation_id as id, '/api/' || kind || '-controller-v2' as base from qc_conversations where source_id = ${source} order by 2`,
  )
  return { word, source, email, kinds, send }
}

/** What people and rounds do with one conversation, again and again; `words` is what they quote of the page that they see. */
const acts = ({ send, email }: Round) => {
  type Of = Round['kinds'][number]
  const target = ({ kind, id }: Of) => ({ [`${kind}Id`]: id })
  const page = async ({ kind, id, base }: Of) => (await call('GET', `${base}/${kind}s/${id}`)).body
  const quoting = (shown: { subject: string }) => (shown.subject === '[removed]' ? '' : `It said: ${shown.subject}`)
  const writing = (write: (of: Of, words: string, shown: Page) => Promise<unknown>) => async (of: Of) => {
    const shown = await page(of)
    const words = quoting(shown)
    await turn()
    if (words) await write(of, words, shown)
  }
  return {
    import: () => send(),
    comment: writing((of, words) => call('POST', `${of.base}/${of.kind}s/${of.id}/comments`, { commentData: words })),
    note: writing((of, words) => call('POST', `${of.base}/${of.kind}s/${of.id}/notes`, { noteData: words })),
    'changed comment': writing((of, words, { comments: [one] }) =>
      one
        ? call('PATCH', `${of.base}/comments/${one.id}`, { content: words, version: one.version })
        : Promise.resolve(),
    ),
    draft: writing((of, words) =>
      call('PATCH', `${of.base}/${of.kind}s/${of.id}/draft`, {
        data: { comment: words, scores: [{ ...scored, comment: words }] },
      }),
    ),
    review: writing((of, words) => {
      const data = { comment: words, scores: [{ ...scored, comment: words }], agentReason: words }
      return call('POST', `${of.base}/reviews`, { ...target(of), agents: [agent.id], data })
    }),
    'changed review': writing((of, words, { reviews: [one] }) =>
      one
        ? call('PATCH', `${of.base}/reviews/${one.id}`, {
            ...{ version: one.version, data: { comment: words, scores: [{ ...scored, comment: words }] } },
          })
        : Promise.resolve(),
    ),
    'deleted review': writing((of, _, { reviews: [one] }) =>
      one ? call('DELETE', `${of.base}/reviews/${one.id}`, { version: one.version }) : Promise.resolve(),
    ),
    dispute: writing(async (_, words, { reviews: [one] }) => {
      if (!one) return
      const mine = `${v2}/mine/reviews/${one.id}`
      await call('POST', `${mine}/feedbacks`, { feedback: words, type: 'dispute' }, agent.token)
      if (one.id % 2) await call('DELETE', `${mine}/dispute`, {}, agent.token)
    }),
    decision: writing((of, words, { feedbacks: [one] }) =>
      one
        ? call(
            ...(['PATCH', `${of.base}/feedbacks/${one.id}/status`] as const),
            { status: 'answered', outcome: 'accepted', answer: words, version: one.version },
            judge.token,
          )
        : Promise.resolve(),
    ),
    escalation: writing(async (of, words, { escalations: [one] }) => {
      const escalationDTO = { reason: words.slice(0, 100), description: words }
      if (!one) return call('POST', `${of.base}/escalations`, { ...target(of), escalationDTO })
      const { id, version } = one
      return call('PATCH', `/api/qa-controller/escalation/${id}`, { escalationDTO, version })
    }),
    calibration: writing((of, words) =>
      call('POST', `${v2}/calibrations`, {
        ...{ conversationId: of.id, title: words.slice(0, 100), participants: [judge.id, reader.id] },
      }),
    ),
    assignment: writing((of, words, { version }) =>
      call('PATCH', `${of.base}/${of.kind}s/${of.id}/assignee`, {
        assigneeId: judge.id,
        reason: words.slice(0, 100),
        version,
      }),
    ),
    export: () => call('POST', `${v2}/customers/export`, { email }),
    search: (of: Of) => call('GET', `${of.base}/${of.kind}s/archive?text=wrote&search=About`),
    checks: () => runChecks(t.app),
    queue: () => refillAll(t.app),
    statistics: () => packDays(t.app),
    retention: () => redactOld(t.app),
  }
}
interface Page {
  version: number
  subject: string
  comments: { id: number; version: number }[]
  reviews: { id: number; version: number }[]
  feedbacks: { id: number; version: number }[]
  escalations: { id: number; version: number }[]
}

/** Tables with a row that has the word. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    t.app.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await rows<{ text: string }>(
      t.app.db,
      sql`select t::text as text from ${sql.identifier(name)} as t where t::text ilike ${`%${word}%`} limit 1`,
    )
    if (row) found.push(`${name}: ${row.text}`)
  }
  return found
}

for (let n = 0; n < 4; n += 1)
  it(`nothing of a customer stays who is erased while all write at once (${n})`, onPostgres, async () => {
    const round = await open(n)
    let isOver = false
    const counts = new Map<string, number>()
    const all = Object.entries(acts(round)).map(async ([name, act]) => {
      for (let i = 0; !isOver; i += 1) {
        await act(round.kinds[i % round.kinds.length]!)
        counts.set(name, i + 1)
        await turn()
      }
    })
    const ended = Promise.all(all)
    try {
      await expect.poll(() => counts.size === all.length && Math.min(...counts.values()) >= 2 + n).toBe(true)
      await done('POST', `${v2}/customers/erase`, { email: round.email })
      const since = new Map(counts)
      // everything that had begun before the erasure is over, and has been tried again
      await expect.poll(() => [...counts].every(([name, i]) => i >= (since.get(name) ?? 0) + 2)).toBe(true)
    } finally {
      isOver = true
      await ended
    }
    expect(wrong).toEqual([])
    expect(await tablesWith(round.word)).toEqual([])
    const found = await done('GET', `/api/chat-controller-v2/chats/archive?text=wrote&search=${round.word}`)
    expect(found.items).toEqual([])
  })
