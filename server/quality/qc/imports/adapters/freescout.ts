import * as z from 'zod'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { baseOf, type Call, caller, type Desk, pagesSince, readDesk } from './desk.ts'
import { textOfHtml } from './html.ts'
import { parsedAs, text } from './parsed.ts'

const PAGE = 100
const when = z.iso.datetime({ offset: true })
const person = z.object({ id: z.number(), type: text, firstName: text, lastName: text, email: text })
const thread = z.object({
  id: z.int(),
  /** `customer`, `message` to the customer, `note`, or `lineitem` for events. */
  type: text,
  state: text,
  body: text,
  action: z.object({ text }).nullish().catch(null),
  createdBy: person.nullish().catch(null),
  createdAt: when,
  _embedded: z
    .object({
      attachments: z.array(z.object({ fileName: text, fileUrl: text, size: z.coerce.number().catch(0) })).catch([]),
    })
    .nullish()
    .catch(null),
})
const conversation = z.object({
  id: z.int(),
  type: text,
  state: text,
  subject: text,
  customer: person.nullish().catch(null),
  createdAt: when,
  updatedAt: when,
})
const one = conversation.extend({ _embedded: z.object({ threads: z.array(thread) }) })
const list = z.object({ _embedded: z.object({ conversations: z.array(conversation) }) })
type Conversation = z.output<typeof conversation>

const parsed = parsedAs('the API of FreeScout')

/**
 * Conversations of FreeScout by its module *API & Webhooks*: `config.url`, the password is the API key; `queue` limits to the
 * number of a mailbox.
 */
export const freescout: Adapter = {
  lacks: ({ url = '', queue = '' }): Record<string, string> | undefined => {
    if (!/^https?:/.test(url)) return { url: 'The address of FreeScout' }
    return /^\d{0,9}$/.test(queue) ? undefined : { queue: 'The number of a mailbox' }
  },
  read: (asked) => readDesk(deskOf(asked), asked),
}

function deskOf(asked: Asked): Desk<Conversation> {
  const call = caller(asked, `${baseOf(asked.config, '/api')}/api`, { 'x-freescout-api-key': asked.secret })
  const read = async (id: number) => parsed(one, await call(`/conversations/${id}?embed=threads`))
  return {
    noun: 'conversation',
    changed: (since) =>
      pagesSince(since, {
        size: PAGE,
        changedAt: ({ updatedAt }) => updatedAt,
        read: (from, page) => search(call, from, page, asked.config.queue),
      }),
    idOf: ({ id }) => id,
    changedAt: ({ updatedAt }) => updatedAt,
    one: read,
    item: async ({ id }) => itemOf(await read(id)),
  }
}

async function search(call: Call, from: Date, page: number, mailbox: string | undefined): Promise<Conversation[]> {
  const query = new URLSearchParams({
    ...{ updatedSince: from.toISOString(), sortField: 'updatedAt', sortOrder: 'asc' },
    ...{ pageSize: String(PAGE), page: String(page), ...(mailbox && { mailboxId: mailbox }) },
  })
  return parsed(list, await call(`/conversations?${query}`))._embedded.conversations
}

const nameOf = (who: z.output<typeof person> | null | undefined) =>
  `${who?.firstName ?? ''} ${who?.lastName ?? ''}`.trim().slice(0, 200)

function itemOf({ customer, _embedded, ...about }: z.output<typeof one>): RawItem {
  const threads = _embedded.threads.filter(({ state }) => state !== 'draft')
  return {
    ...{ kind: about.type === 'chat' ? 'chat' : 'ticket', id: String(about.id), startedAt: about.createdAt },
    subject: about.subject.slice(0, 500),
    customer: { name: nameOf(customer), email: (customer?.email ?? '').slice(0, 320) },
    deleted: about.state === 'deleted',
    // FreeScout answers the latest first
    messages: threads.map(messageOf).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : Number(a.id) - Number(b.id))),
  }
}

function messageOf(said: z.output<typeof thread>): RawItem['messages'][number] {
  const { id, type, body, action, createdBy, createdAt: at, _embedded } = said
  const isEvent = type === 'lineitem'
  const role = createdBy?.type === 'user' ? 'agent' : type === 'customer' ? 'customer' : isEvent ? 'system' : 'agent'
  return {
    ...{ id: String(id), at, kind: isEvent ? 'event' : type === 'note' ? 'note' : 'message' },
    text: isEvent ? (action?.text ?? '') : textOfHtml(body),
    author: { id: (createdBy?.email || String(createdBy?.id ?? '')).slice(0, 320), name: nameOf(createdBy), role },
    files: (_embedded?.attachments ?? []).slice(0, 100).map(({ fileName, fileUrl, size }) => ({
      ...{ name: fileName.slice(0, 300), size: Math.max(0, Math.trunc(size)), url: fileUrl.slice(0, 2000) },
    })),
  }
}
