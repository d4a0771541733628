import * as z from 'zod'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { baseOf, basic, type Call, caller, type Desk, pagesSince, readDesk } from './desk.ts'
import { textOfHtml } from './html.ts'
import { parsedAs, text } from './parsed.ts'

/** Tickets in one page of a search. */
const PAGE = 100

const ticket = z.object({
  id: z.int(),
  title: text,
  state: text,
  customer: text,
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
})
const article = z.object({
  id: z.int(),
  from: text,
  body: text,
  content_type: text,
  sender: text,
  internal: z.boolean().catch(false),
  created_at: z.iso.datetime({ offset: true }),
  created_by: text,
  /** The customer for whom an agent wrote the article, as after a call. */
  origin_by: text,
  attachments: z
    .array(z.object({ id: z.int(), filename: text, size: z.coerce.number().catch(0) }))
    .nullish()
    .transform((found) => found ?? []),
})
const links = z.object({ links: z.array(z.object({ link_type: text, link_object_value: z.int() })).catch([]) })
type Ticket = z.output<typeof ticket>

const parsed = parsedAs('the API of Zammad')

/** Tickets of Zammad by its REST API: `config.url`; a token alone, or `user` with password; `queue` limits to a group. */
export const zammad: Adapter = {
  lacks: ({ url = '' }) => (/^https?:/.test(url) ? undefined : { url: 'The address of Zammad' }),
  read: (asked) => readDesk(deskOf(asked), asked),
}

function deskOf(asked: Asked): Desk<Ticket> {
  const { config, secret } = asked
  const authorization = config.user ? basic(config.user, secret) : `Token token=${secret}`
  const base = baseOf(config, '/api/v1')
  const call = caller(asked, `${base}/api/v1`, { authorization })
  return {
    noun: 'ticket',
    changed: (since) =>
      pagesSince(since, {
        size: PAGE,
        changedAt: ({ updated_at }) => updated_at,
        read: (from, page) => search(call, from, config.queue, page),
      }),
    idOf: ({ id }) => id,
    changedAt: ({ updated_at }) => updated_at,
    one: async (id) => parsed(ticket, await call(`/tickets/${id}?expand=true`)),
    async item(one) {
      const articles = parsed(z.array(article), await call(`/ticket_articles/by_ticket/${one.id}?expand=true`))
      const messages = articles.map((each) => messageOf(each, one, base))
      return itemOf(one, messages, one.state === 'merged' ? await mergedInto(call, one.id) : undefined, articles)
    },
  }
}

async function search(call: Call, from: Date, group: string | undefined, page: number): Promise<Ticket[]> {
  const terms = [`updated_at:["${from.toISOString()}" TO *]`]
  if (group) terms.push(`group.name:"${group.replace(/["\\]/g, '')}"`)
  const query = new URLSearchParams({
    ...{ query: terms.join(' AND '), sort_by: 'updated_at', order_by: 'asc', expand: 'true' },
    ...{ per_page: String(PAGE), page: String(page) },
  })
  return parsed(z.array(ticket), await call(`/tickets/search?${query}`))
}

/** The ticket that absorbed a merged one: Zammad links it as the parent, after parents that the ticket had before. */
async function mergedInto(call: Call, id: number): Promise<string | undefined> {
  const found = parsed(links, await call(`/links?link_object=Ticket&link_object_value=${id}`))
  const parent = found.links.findLast(({ link_type }) => link_type === 'parent')
  return parent && String(parent.link_object_value)
}

const roles: Record<string, 'agent' | 'customer' | 'system'> = {
  Agent: 'agent',
  Customer: 'customer',
  System: 'system',
}
/** `Bob Smith <bob@example.com>`, or a name alone. */
const nameOf = (from: string) => from.split('<', 1)[0]!.trim().replace(/^"|"$/g, '')
const addressOf = (from: string) => /<([^<>\s]{1,320})>/.exec(from)?.[1] ?? ''

function messageOf(one: z.output<typeof article>, { id: ticketId }: Ticket, base: string): RawItem['messages'][number] {
  const { id, from, body, content_type, sender, internal, created_at: at, created_by, origin_by, attachments } = one
  const role = roles[sender] ?? 'system'
  const who = role === 'customer' ? origin_by || addressOf(from) || created_by : created_by || addressOf(from)
  return {
    ...{ id: String(id), at, kind: internal ? 'note' : 'message' },
    author: { id: who, name: nameOf(from), role },
    text: content_type.startsWith('text/html') ? textOfHtml(body) : body,
    files: attachments.slice(0, 100).map((file) => ({
      ...{ name: file.filename.slice(0, 300), size: Math.max(0, Math.trunc(file.size)) },
      url: `${base}/api/v1/ticket_attachment/${ticketId}/${id}/${file.id}`,
    })),
  }
}

function itemOf(
  one: Ticket,
  messages: RawItem['messages'],
  into: string | undefined,
  articles: z.output<typeof article>[],
): RawItem {
  const first = articles.find(({ sender }) => sender === 'Customer')
  const email = one.customer.includes('@') ? one.customer : addressOf(first?.from ?? '')
  return {
    ...{ kind: 'ticket', id: String(one.id), subject: one.title.slice(0, 500), startedAt: one.created_at, messages },
    customer: { name: nameOf(first?.from ?? '').slice(0, 200), email },
    ...(into !== undefined && { mergedInto: into }),
  }
}
