import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { reachOf } from '../../../../kit/outgoing/reach.ts'
import { type Read, readLines } from '../source.ts'
import { freescout } from './freescout.ts'
import { freshdesk } from './freshdesk.ts'
import { zendesk } from './zendesk.ts'

/** Answers in the form of the public documentation of FreeScout, Zendesk and Freshdesk, served on loopback. */
let server: Server
const asked: { path: string; query: URLSearchParams; headers: Record<string, unknown> }[] = []
const answering = (answerOf: (path: string, query: URLSearchParams) => unknown): Promise<string> => {
  asked.length = 0
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://desk')
    asked.push({ path: pathname, query: searchParams, headers: request.headers })
    const answer = answerOf(pathname, searchParams)
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }
  server = createServer(listener)
  return new Promise((ready) =>
    server.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
afterEach(() => void server?.close())
const readAll = async (items: AsyncIterable<Read>) => {
  const all: Read[] = []
  for await (const read of items) all.push(read)
  return all
}
const settings = { privateTargets: ['127.0.0.0/8'], port: 0, agentPort: 0, previewPort: 0 }
const reach = reachOf({ settings, log: pino({ level: 'silent' }) })
const base = { reach, secret: 'secret', cursor: null, unread: [] as string[] }

test('FreeScout: threads in order, notes, line items, drafts, files, and a conversation that is gone', async () => {
  const customer = { id: 75, type: 'customer', firstName: 'Mark', lastName: 'Morrison', email: 'mark@customer.example' }
  const staff = { id: 14, type: 'user', firstName: 'John', lastName: 'Doe', email: 'johndoe@desk.example' }
  const about = {
    ...{ id: 1, number: 3, threadsCount: 2, type: 'email', folderId: 11, status: 'closed', state: 'published' },
    ...{
      subject: 'Refund',
      preview: 'Could you please',
      mailboxId: 15,
      assignee: staff,
      createdBy: customer,
      customer,
    },
    ...{
      createdAt: '2026-11-15T22:46:22Z',
      updatedAt: '2026-11-18T09:00:00Z',
      closedAt: null,
      source: { type: 'email' },
    },
  }
  const thread = (id: number, type: string, body: string, createdBy: object | null, more = {}) => ({
    ...{ id, type, status: 'active', state: 'published', action: { type: '', text: '', associatedEntities: [] }, body },
    ...{ source: { type: 'email', via: 'customer' }, customer, createdBy, assignedTo: null, to: [], cc: [], bcc: [] },
    ...{ createdAt: `2026-11-15T22:5${id}:00Z`, openedAt: null, _embedded: { attachments: [] }, ...more },
  })
  const file = { id: 71, fileName: 'log.txt', fileUrl: 'https://f.example/log.txt', mimeType: 'text/plain', size: 12 }
  const threads = [
    thread(5, 'message', 'not sent yet', staff, { state: 'draft' }),
    thread(4, 'lineitem', '', staff, { action: { type: 'changed-ticket-status', text: 'John Doe marked as Closed' } }),
    thread(3, 'note', 'He calls often', staff),
    thread(2, 'message', '<p>We <b>look</b></p>', staff, { _embedded: { attachments: [file] } }),
    thread(1, 'customer', 'Could you please<br>refund?', customer),
  ]
  const url = await answering((path) =>
    path === '/api/conversations'
      ? {
          _embedded: { conversations: [{ ...about, _embedded: { threads: [] } }] },
          page: { size: 100, totalElements: 1, totalPages: 1, number: 1 },
        }
      : path === '/api/conversations/1' && { ...about, _embedded: { threads, timelogs: [], tags: [] } },
  )
  const config = { url: `${url}/`, queue: '15' }
  const [first, gone] = await readAll(freescout.read({ ...base, config, unread: ['9'] }))
  expect(first).toMatchObject({
    cursor: '2026-11-18T09:00:00Z',
    item: {
      ...{ kind: 'ticket', id: '1', subject: 'Refund', deleted: false },
      customer: { name: 'Mark Morrison', email: 'mark@customer.example' },
      messages: [
        { id: '1', kind: 'message', text: 'Could you please\nrefund?', author: { role: 'customer' } },
        {
          ...{ id: '2', text: 'We look', author: { role: 'agent', id: 'johndoe@desk.example', name: 'John Doe' } },
          files: [{ name: 'log.txt', size: 12, url: 'https://f.example/log.txt' }],
        },
        { id: '3', kind: 'note' },
        { id: '4', kind: 'event', text: 'John Doe marked as Closed' },
      ],
    },
  })
  expect(gone).toMatchObject({ gone: '9', reason: 'conversation 9: answered 404' })
  expect(Object.fromEntries(asked[0]!.query)).toMatchObject({ mailboxId: '15', sortOrder: 'asc', page: '1' })
  expect(asked[0]!.headers['x-freescout-api-key']).toBe('secret')
})

test('Zendesk: the export by cursor, comments of several pages, ratings, merges, deleted tickets', async () => {
  const ticket = (id: number, more: object) => ({
    ...{
      id,
      url: '',
      external_id: null,
      via: { channel: 'email', source: { rel: null } },
      created_at: '2026-11-20T08:00:00Z',
    },
    ...{
      updated_at: '2026-11-20T10:00:00Z',
      generated_timestamp: 1_795_170_000 + id,
      type: null,
      subject: `Ticket ${id}`,
    },
    ...{ status: 'solved', requester_id: 20, submitter_id: 20, assignee_id: 30, group_id: 9, tags: ['vip'] },
    ...{ satisfaction_rating: { score: 'unoffered' }, ...more },
  })
  const users = [
    { id: 20, name: 'Bob Smith', email: 'bob@customer.example', role: 'end-user' },
    { id: 30, name: 'Ada Berg', email: 'ada@desk.example', role: 'agent' },
  ]
  const comment = (id: number, author_id: number, body: string, more = {}) => ({
    ...{ id, type: 'Comment', author_id, body, html_body: `<div class="zd-comment"><p>${body}</p></div>` },
    ...{
      plain_body: body,
      public: true,
      attachments: [],
      audit_id: id,
      created_at: `2026-11-20T08:0${id}:00Z`,
      ...more,
    },
  })
  const pages: Record<string, unknown> = {
    first: {
      tickets: [ticket(1, { satisfaction_rating: { score: 'good', comment: 'Quick' } }), ticket(5, { tags: [] })],
      ...{ after_url: 'x', after_cursor: 'MTU4=', before_cursor: null, end_of_stream: false },
    },
    'MTU4=': {
      tickets: [
        ticket(2, { tags: ['vip', 'closed_by_merge'], via: { channel: 'messaging' } }),
        ticket(3, { status: 'deleted' }),
      ],
      ...{ after_url: 'x', after_cursor: 'MTU5', before_cursor: null, end_of_stream: true },
    },
  }
  const meta = { has_more: false, after_cursor: null, before_cursor: null }
  const file = { id: 7, file_name: 'log.txt', content_url: 'https://z.example/log.txt', size: 12 }
  const url = await answering((path, query) => {
    if (path.endsWith('/incremental/tickets/cursor.json')) return pages[query.get('cursor') ?? 'first']
    if (path.endsWith('/tickets/1/comments.json'))
      return query.get('page[after]')
        ? { comments: [comment(3, 30, 'Careful', { public: false })], users, meta }
        : {
            comments: [comment(1, 20, 'Down'), comment(2, 30, 'I look', { attachments: [file] })],
            ...{ users, meta: { ...meta, has_more: true, after_cursor: 'next' } },
          }
    const last = comment(4, -1, 'This request was closed and merged into request #1 "Ticket 1".')
    return path.endsWith('/tickets/2/comments.json') && { comments: [last], users: [], meta }
  })
  const config = { url, user: 'api@desk.example', queue: 'vip' }
  const found = await readAll(zendesk.read({ ...base, config, cursor: '2026-11-20T10:00:00.000Z' }))
  expect(found).toMatchObject([
    {
      cursor: new Date(1_795_170_001_000).toISOString(),
      item: {
        ...{ kind: 'ticket', id: '1', csat: 5, customer: { name: 'Bob Smith', email: 'bob@customer.example' } },
        messages: [
          { id: '1', text: 'Down', author: { role: 'customer', id: 'bob@customer.example' } },
          { id: '2', author: { role: 'agent', name: 'Ada Berg' }, files: [{ name: 'log.txt', size: 12 }] },
          { id: '3', kind: 'note' },
        ],
      },
    },
    { item: { kind: 'chat', id: '2', mergedInto: '1', csat: null, messages: [{ author: { role: 'system' } }] } },
    { item: { id: '3', deleted: true, messages: [] } },
  ])
  expect(asked[0]!.query.get('start_time')).toBe(String(Date.parse('2026-11-20T09:55:00Z') / 1000))
  const auth = Buffer.from(String(asked[0]!.headers.authorization).slice(6), 'base64').toString()
  expect(auth).toBe('api@desk.example/token:secret')
})

test('Freshdesk: the words of the ticket first, replies, private notes, agents by number, another group left out', async () => {
  const requester = { id: 20, name: 'Bob Smith', email: 'bob@customer.example', mobile: null, phone: null }
  const ticket = (id: number, more: object) => ({
    ...{
      id,
      subject: `Ticket ${id}`,
      description: '<div>The shop is <b>down</b></div>',
      description_text: 'x',
      status: 4,
    },
    ...{
      cc_emails: [],
      spam: false,
      priority: 1,
      source: 1,
      requester_id: 20,
      responder_id: 30,
      group_id: 9,
      requester,
    },
    ...{ created_at: '2026-11-20T08:00:00Z', updated_at: `2026-11-20T1${id}:00:00Z`, attachments: [], ...more },
  })
  const reply = (id: number, body: string, more: object) => ({
    ...{ id, body: `<div>${body}</div>`, body_text: body, incoming: false, private: false, user_id: 30, source: 0 },
    ...{
      created_at: `2026-11-20T08:0${id}:00Z`,
      updated_at: '2026-11-20T09:00:00Z',
      attachments: [],
      ticket_id: 1,
      ...more,
    },
  })
  const file = { id: 4, name: 'log.txt', content_type: 'text/plain', size: 12, attachment_url: 'https://s.example/log' }
  const url = await answering(
    (path) =>
      ({
        '/api/v2/tickets': [ticket(1, {}), ticket(2, { group_id: 8 }), ticket(3, { spam: true })],
        '/api/v2/agents': [{ id: 30, contact: { name: 'Ada Berg', email: 'ada@desk.example' }, available: true }],
        '/api/v2/tickets/1/conversations': [
          reply(1, 'I look', { attachments: [file] }),
          reply(2, 'Careful', { private: true, source: 2 }),
          reply(3, 'Thanks', { incoming: true, user_id: 20, from_email: '"Bob" <bob@customer.example>' }),
        ],
        '/api/v2/tickets/3/conversations': [],
      })[path],
  )
  const found = await readAll(freshdesk.read({ ...base, config: { url: `${url}/api/v2`, queue: '9' } }))
  expect(found).toMatchObject([
    {
      cursor: '2026-11-20T11:00:00Z',
      item: {
        ...{ id: '1', deleted: false, customer: { name: 'Bob Smith', email: 'bob@customer.example' } },
        messages: [
          { id: 'ticket-1', text: 'The shop is down', author: { role: 'customer', id: 'bob@customer.example' } },
          { id: '1', text: 'I look', author: { role: 'agent', id: 'ada@desk.example' }, files: [{ name: 'log.txt' }] },
          { id: '2', kind: 'note' },
          { id: '3', kind: 'message', author: { role: 'customer' } },
        ],
      },
    },
    { item: { id: '3', deleted: true } },
  ])
  expect(asked.filter(({ path }) => path === '/api/v2/agents')).toHaveLength(1)
  expect(freshdesk.lacks({ url, queue: 'Support' })).toHaveProperty('queue')
})

test('the lines that the query for osTicket writes are read, with the words of its HTML', async () => {
  // as the query of docs/quality-import.md answers against osTicket 1.18: plain text is stored with entities, an edited reply
  // keeps its first id, and a merged ticket keeps no words
  const line =
    '{"id": "7", "kind": "ticket", "subject": "Site down", "customer": {"name": "Bob Smith", "email": "bob@customer.example"}, ' +
    '"startedAt": "2026-11-20T08:00:00Z", "messages": [{"id": "1", "at": "2026-11-20T08:00:00Z", "kind": "message", "text": "<p>The shop is <b>down</b></p>", ' +
    '"format": "html", "author": {"id": "bob@customer.example", "name": "Bob Smith", "role": "customer"}}, {"id": "2", "at": "2026-11-20T08:05:00Z", ' +
    '"kind": "note", "text": "calls &lt;often&gt; &amp; late<br>again", "format": "html", "author": {"id": "ada@desk.example", "name": "Ada Berg", "role": "agent"}, "editedAt": "2026-11-20T09:00:00Z"}]}\n' +
    '{"id": "3", "kind": "ticket", "subject": "Again", "customer": {"name": "Bob Smith", "email": "bob@customer.example"}, "messages": [], "mergedInto": "7"}'
  const bytes = (async function* () {
    yield Buffer.from(line)
  })()
  expect(await readAll(readLines(bytes))).toMatchObject([
    {
      item: {
        id: '7',
        messages: [{ text: 'The shop is down' }, { kind: 'note', text: 'calls <often> & late\nagain' }],
      },
    },
    { item: { id: '3', messages: [], mergedInto: '7' } },
  ])
})

test('lines in another encoding are refused with their number, and the others are read, in whatever pieces they come', async () => {
  const line = (id: string, text: string) =>
    JSON.stringify({
      ...{ kind: 'ticket', id, customer: { name: 'Jörg', email: 'jorg@customer.example' } },
      messages: [{ id: '1', at: '2026-11-20T10:00:00Z', author: { name: 'Jörg', role: 'customer' }, text }],
    })
  const bytes = Buffer.concat([
    Buffer.from(`\ufeff${line('1', 'Grüße – � ist ein Zeichen')}\r\n`),
    Buffer.from(`${line('2', 'Grüße')}\n`, 'latin1'),
    Buffer.from(line('3', 'Grüße')),
  ])
  for (const size of [1, 7, bytes.length]) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    expect(await readAll(readLines(pieces()))).toMatchObject([
      { line: 1, item: { id: '1', messages: [{ text: 'Grüße – � ist ein Zeichen' }] } },
      { line: 2, reason: 'not UTF-8' },
      { line: 3, item: { id: '3', messages: [{ text: 'Grüße' }] } },
    ])
  }
})
