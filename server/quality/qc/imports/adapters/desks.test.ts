import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reachOf } from '../../../../kit/outgoing/reach.ts'
import type { Read } from '../source.ts'
import { chatwoot } from './chatwoot.ts'
import { zammad } from './zammad.ts'

/** Answers in the form of the public documentation of Zammad and Chatwoot, served on loopback. */
const ticket = (id: number, at: string, more = {}) => ({
  ...{ id, group: 'Support', priority: '2 normal', state: 'closed', organization: null, number: `6700${id}` },
  ...{ title: `Ticket ${id}`, owner: 'ada@desk.example', customer: 'bob@customer.example', article_count: 2 },
  ...{ created_at: '2026-11-20T07:55:42.119Z', updated_at: at, ...more },
})
const article = (id: number, sender: string, body: string, more = {}) => ({
  ...{ id, ticket_id: 3, type: 'email', sender, subject: 'Down', body, content_type: 'text/html', internal: false },
  ...{ from: sender === 'Customer' ? 'Bob Smith <bob@customer.example>' : 'Ada Berg via Support <help@desk.example>' },
  ...{ to: '', cc: '', attachments: [], created_by: sender === 'Agent' ? 'ada@desk.example' : 'bob@customer.example' },
  ...{ created_at: `2026-11-20T08:0${id}:00.000Z`, updated_at: '2026-11-20T08:09:00.000Z', ...more },
})
const contact = { id: 9, name: 'Bob Smith', email: 'bob@customer.example', type: 'contact' }
const agent = { id: 2, name: 'Ada Berg', available_name: 'Ada', avatar_url: '', type: 'user', thumbnail: '' }
const chat = (id: number, activity: number) => ({
  ...{ id, account_id: 1, inbox_id: 4, status: 'resolved', created_at: 1_795_000_000, last_activity_at: activity },
  ...{ meta: { sender: contact, channel: 'Channel::WebWidget' }, additional_attributes: {}, messages: [], uuid: 'x' },
})
const said = (id: number, message_type: number, content: string, more = {}) => ({
  ...{
    id,
    content,
    inbox_id: 4,
    conversation_id: 7,
    message_type,
    content_type: 'text',
    status: 'sent',
    private: false,
  },
  ...{ content_attributes: {}, created_at: 1_795_000_000 + id, sender: message_type ? agent : contact, ...more },
})
const answers: Record<string, unknown> = {
  '/api/v1/tickets/search': [
    ticket(3, '2026-11-20T09:00:00.000Z'),
    ticket(4, '2026-11-20T10:00:00.000Z', { state: 'merged' }),
    ticket(5, '2026-11-20T11:00:00.000Z'),
  ],
  '/api/v1/ticket_articles/by_ticket/3': [
    article(1, 'Customer', 'The shop is <b>down</b>'),
    article(2, 'Agent', 'We look', {
      attachments: [{ id: 123, filename: 'log.txt', size: '12', preferences: { 'Mime-Type': 'text/plain' } }],
    }),
    article(3, 'Agent', 'He calls often', { type: 'note', internal: true }),
    article(4, 'System', 'Auto reply', { content_type: 'text/plain' }),
    article(5, 'Customer', 'He called', {
      ...{ type: 'phone', from: 'Bob Smith', created_by: 'ada@desk.example', origin_by: 'bob@customer.example' },
    }),
  ],
  '/api/v1/ticket_articles/by_ticket/4': [],
  '/api/v1/links': {
    links: [
      { link_type: 'parent', link_object: 'Ticket', link_object_value: 2 },
      { link_type: 'parent', link_object: 'Ticket', link_object_value: 3 },
    ],
    assets: {},
  },
  '/api/v1/accounts/1/conversations': { data: { meta: {}, payload: [chat(8, 1_795_000_300), chat(7, 1_795_000_100)] } },
  '/api/v1/accounts/1/conversations/7/messages': {
    meta: {},
    payload: [
      said(1, 0, 'Down'),
      said(2, 2, 'Conversation was assigned to Ada', { sender: null }),
      said(3, 1, 'I look', {
        attachments: [{ id: 1, file_type: 'file', file_size: 5, data_url: 'https://w.example/a.txt' }],
      }),
      said(4, 1, 'Careful', { private: true }),
      said(9, 1, 'I am a program', { sender: { id: 2, name: 'Cap', type: 'captain_assistant' }, attachments: [null] }),
      said(5, 3, 'Rate us', {
        content_type: 'input_csat',
        sender: null,
        content_attributes: { submitted_values: { csat_survey_response: { rating: 4, feedback_message: '' } } },
      }),
    ],
  },
  '/api/v1/accounts/1/agents': [{ id: 2, account_id: 1, name: 'Ada Berg', email: 'ada@desk.example', role: 'agent' }],
  '/api/v1/accounts/1/conversations/8/messages': {
    meta: {},
    payload: [said(6, 1, 'Hello', { content_attributes: { deleted: true } })],
  },
}
const asked: { path: string; auth: string | undefined }[] = []
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://desk')
  const { authorization, api_access_token: token } = request.headers
  asked.push({ path: `${pathname}${searchParams.get('query') ?? ''}`, auth: authorization ?? String(token) })
  const isLater = Number(searchParams.get('page') ?? 1) > 1
  const answer = isLater ? { data: { payload: [] } } : answers[pathname]
  response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const readAll = async (items: AsyncIterable<Read>) => {
  const all: Read[] = []
  for await (const read of items) all.push(read)
  return all
}
const settings = { privateTargets: ['127.0.0.0/8'], port: 0, agentPort: 0, previewPort: 0 }
const reach = reachOf({ settings, log: pino({ level: 'silent' }) })
const base = { reach, secret: 'secret', cursor: null, unread: [] }

test('Zammad: articles, notes, files, merges, and a ticket that cannot be read is read again', async () => {
  const [first, merged, failed] = await readAll(zammad.read({ ...base, config: { url, queue: 'Support' } }))
  expect(first).toMatchObject({
    cursor: '2026-11-20T09:00:00.000Z',
    item: {
      ...{
        kind: 'ticket',
        id: '3',
        subject: 'Ticket 3',
        customer: { name: 'Bob Smith', email: 'bob@customer.example' },
      },
      messages: [
        {
          id: '1',
          kind: 'message',
          text: 'The shop is down',
          author: { role: 'customer', id: 'bob@customer.example' },
        },
        {
          ...{ id: '2', author: { role: 'agent', id: 'ada@desk.example', name: 'Ada Berg via Support' } },
          files: [{ name: 'log.txt', size: 12, url: `${url}/api/v1/ticket_attachment/3/2/123` }],
        },
        { id: '3', kind: 'note' },
        { id: '4', author: { role: 'system' } },
        { id: '5', author: { role: 'customer', id: 'bob@customer.example' } },
      ],
    },
  })
  expect(merged).toMatchObject({ item: { id: '4', mergedInto: '3' } })
  expect(failed).toMatchObject({ unread: '5', reason: 'ticket 5: answered 500' })
  expect(asked[0]).toEqual({
    path: '/api/v1/tickets/searchupdated_at:["1970-01-01T00:00:00.000Z" TO *] AND group.name:"Support"',
    auth: 'Token token=secret',
  })
})

test('Chatwoot: the oldest activity first, events, private notes, ratings and removed messages', async () => {
  const [first, second] = await readAll(chatwoot.read({ ...base, config: { url, user: '1' } }))
  expect(first).toMatchObject({
    cursor: new Date(1_795_000_100_000).toISOString(),
    item: {
      ...{ kind: 'chat', id: '7', csat: 4, customer: { name: 'Bob Smith', email: 'bob@customer.example' } },
      messages: [
        { id: '1', author: { role: 'customer' } },
        { id: '2', kind: 'event', author: { role: 'system' } },
        { id: '3', author: { role: 'agent', id: 'ada@desk.example' }, files: [{ name: 'a.txt', size: 5 }] },
        { id: '4', kind: 'note' },
        { id: '9', author: { role: 'bot', id: '2' }, files: [] },
      ],
    },
  })
  expect(second).toMatchObject({ item: { id: '8', messages: [{ removed: true }] } })
  expect(asked.at(-1)?.auth).toBe('secret')
  expect(chatwoot.lacks({ url, user: 'ada' })).toHaveProperty('user')
})
