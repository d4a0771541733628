import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { imported } from '../../../test/hostile/world/quality.ts'
import { SEARCHED } from './words.ts'

let t: TestApp
let token: string
let source: number
const archive = '/api/chat-controller-v2/chats/archive'
const found = async (query: string) => (await t.call('GET', `${archive}?${query}`, { token })).body
const idsOf = ({ items }: { items: { externalId: string }[] }) => items.map(({ externalId }) => externalId)
const importing = (...items: unknown[]) =>
  t.call('POST', `/api/qa-controller-v2/sources/${source}/file`, {
    ...{ token, type: 'application/octet-stream' },
    raw: Buffer.from(items.map((item) => JSON.stringify(item)).join('\n')),
  })
const saying = (id: string, ...texts: string[]) => {
  const item = imported('chat', id)
  const [first] = item.messages
  return { ...item, messages: texts.map((text, n) => ({ ...first, id: `${n}`, text, removed: text === '' })) }
}

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  source = (await t.call('POST', '/api/qa-controller-v2/sources', { token, body: { name: 'Desk' } })).body.id
})
afterAll(() => t.close())

describe('a search for words in messages', () => {
  it('finds conversations in which all words occur, also in different messages', async () => {
    await importing(saying('both', 'the nameserver', 'refuses'), saying('one', 'the nameserver answers'))
    expect(idsOf(await found('text=NAMESERVER%20refuses'))).toEqual(['both'])
    expect(await found('text=nameserver%20unheard')).toMatchObject({ items: [], total: 0 })
    expect((await found('text=%2F%2F')).items).toEqual([])
  })

  it('follows edits, removals and redaction', async () => {
    await importing(saying('changing', 'my passphrase', 'first'))
    await importing(saying('changing', 'my password', 'first'))
    expect((await found('text=passphrase')).items).toEqual([])
    expect(idsOf(await found('text=password'))).toEqual(['changing'])
    await importing(saying('changing', '', 'first'))
    expect((await found('text=password')).items).toEqual([])
    await t.call('POST', '/api/qa-controller-v2/customers/erase', { token, body: { email: 'ola@customer.example' } })
    expect((await found('text=first')).items).toEqual([])
  })

  it('keeps the first words of a conversation with more words than PostgreSQL stores', async () => {
    const long = Array.from({ length: 60 }, (_, n) =>
      Array.from({ length: 2000 }, (_, w) => `ä${n}ö${w}ü`.padEnd(9, 'ß')).join(' '),
    )
    const done = await importing(saying('long', ...long))
    expect(done.body).toMatchObject({ added: 1, refused: 0 })
    expect(idsOf(await found(`text=${encodeURIComponent('ä0ö7ü'.padEnd(9, 'ß'))}`))).toEqual(['long'])
  })

  it(`searches the first ${SEARCHED} conversations of the filter for common words, and says so`, async () => {
    const many = SEARCHED + 40
    await t.app.db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email,
        agent_ids, started_at, last_at, messages, status)
      select 'chat', ${source}, 'n' || n, '', '', '', '', '{}', '2026-01-01', '2026-01-01'::timestamptz + n * interval '1 minute', n, 'cleared'
      from generate_series(1, ${many}::int) n`)
    await t.app.db.execute(sql`insert into qc_words (conversation_id, kind, words)
      select qc_conversation_id, 'chat', array_to_tsvector(case when messages % 2 = 0 then array['hello', 'even'] else array['hello'] end)
      from qc_conversations where external_id ~ '^n[0-9]+$'`)
    await importing({ ...saying('oldest', 'hello even'), startedAt: '2020-01-01T00:00:00Z' })
    const newest = await found(`text=hello&source=${source}&to=2026-02-01&itemsPerPage=3`)
    expect(newest).toMatchObject({ total: SEARCHED, searched: SEARCHED })
    expect(idsOf(newest)).toEqual([0, 1, 2].map((n) => `n${many - n}`))
    const oldest = await found('text=hello&itemsPerPage=2&messagesFrom=1&sort=messages&direction=ASC&search=n')
    expect(oldest.searched).toBe(SEARCHED)
    // a filter with fewer conversations, or rarer words, is searched completely
    expect(await found(`text=hello&messagesFrom=${many - 9}`)).toMatchObject({ total: 10 })
    expect(await found('text=hello%20even&messagesFrom=2')).not.toHaveProperty('searched')
    expect(await found(`text=hello&messagesFrom=${many - 9}`)).not.toHaveProperty('searched')
  })

  it('finds feedback by its customer, also if thousands match, and only for readers of conversations', async () => {
    await t.app.db.execute(sql`update qc_conversations set customer_name = 'Kari' where external_id ~ '^n[0-9]+$'`)
    await t.app.db.execute(sql`insert into qc_feedbacks (kind, conversation_id, content, created_at, created_by)
      select kind, qc_conversation_id, 'Thanks', last_at, (select min(user_id) from users) from qc_conversations where customer_name = 'Kari'`)
    const feedback = async (search: string, reader = token) =>
      (await t.call('GET', `/api/chat-controller-v2/feedbacks?search=${search}&itemsPerPage=2`, { token: reader })).body
    const newest = await feedback('kari')
    expect(newest).toMatchObject({ total: 500, more: true })
    expect(idsOf(newest)).toEqual(['n5040', 'n5039'])
    expect(await feedback('n504')).toMatchObject({ total: 2 })
    const blind = await t.somebody(['qa:feedback:read'])
    expect(await feedback('kari', blind.token)).toMatchObject({ items: [], total: 0 })
    expect(await feedback('n50', blind.token)).toMatchObject({ total: 1 + 10 + 41 })
  })
})
