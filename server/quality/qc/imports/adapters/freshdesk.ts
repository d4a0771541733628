import * as z from 'zod'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { baseOf, basic, type Call, caller, type Desk, pagesSince, readDesk } from './desk.ts'
import { textOfHtml } from './html.ts'
import { parsedAs, text } from './parsed.ts'

/** Items in one page; most pages of replies or agents. */
const PAGE = 100
const MOST_PAGES = 300

const when = z.iso.datetime({ offset: true })
const files = z
  .array(z.object({ name: text, size: z.coerce.number().catch(0), attachment_url: text }))
  .nullish()
  .transform((found) => found ?? [])
const ticket = z.object({
  id: z.int(),
  subject: text,
  description: text,
  requester_id: z.number().nullish(),
  group_id: z.number().nullish(),
  requester: z.object({ name: text, email: text }).nullish(),
  spam: z.boolean().catch(false),
  deleted: z.boolean().catch(false),
  created_at: when,
  updated_at: when,
  attachments: files,
})
const reply = z.object({
  id: z.int(),
  body: text,
  incoming: z.boolean().catch(false),
  private: z.boolean().catch(false),
  user_id: z.number().nullish(),
  from_email: text,
  created_at: when,
  attachments: files,
})
const agent = z.object({ id: z.number(), contact: z.object({ name: text, email: text }) })
type Ticket = z.output<typeof ticket>
type Agents = ReadonlyMap<number, { name: string; email: string }>

const parsed = parsedAs('the API of Freshdesk')

/** Tickets of Freshdesk by its API v2: `config.url`, the password is an API key; `queue` limits to the number of a group. */
export const freshdesk: Adapter = {
  lacks: ({ url = '', queue = '' }): Record<string, string> | undefined => {
    if (!/^https?:/.test(url)) return { url: 'The address of Freshdesk' }
    return /^\d{0,19}$/.test(queue) ? undefined : { queue: 'The number of a group' }
  },
  read: (asked) => readDesk(deskOf(asked), asked),
}

/** Freshdesk filters either by time or by group: tickets of other groups are left out here. */
async function* changed(call: Call, since: Date, group: string | undefined): AsyncGenerator<Ticket[]> {
  const read = (from: Date, page: number) => search(call, from, page)
  for await (const found of pagesSince(since, { size: PAGE, changedAt: ({ updated_at }) => updated_at, read }))
    yield found.filter(({ group_id }) => !group || String(group_id) === group)
}

function deskOf(asked: Asked): Desk<Ticket> {
  const call = caller(asked, `${baseOf(asked.config, '/api/v2')}/api/v2`, { authorization: basic(asked.secret, 'X') })
  let agents: Promise<Agents> | undefined
  return {
    noun: 'ticket',
    changed: (since) => changed(call, since, asked.config.queue),
    idOf: ({ id }) => id,
    changedAt: ({ updated_at }) => updated_at,
    one: async (id) => parsed(ticket, await call(`/tickets/${id}?include=requester`)),
    async item(one) {
      agents ??= readAgents(call)
      const replies = await pagesOf(call, `/tickets/${one.id}/conversations?`, reply)
      return itemOf(one, replies, await agents)
    },
  }
}

async function search(call: Call, from: Date, page: number): Promise<Ticket[]> {
  const query = new URLSearchParams({
    ...{ updated_since: from.toISOString(), order_by: 'updated_at', order_type: 'asc' },
    ...{ include: 'requester,description', per_page: String(PAGE), page: String(page) },
  })
  return parsed(z.array(ticket), await call(`/tickets?${query}`))
}

/** All rows of a list with pages by number. */
async function pagesOf<T>(call: Call, path: string, shape: z.ZodType<T>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = parsed(z.array(shape), await call(`${path}per_page=${PAGE}&page=${page}`))
    all.push(...found)
    if (found.length < PAGE) break
  }
  return all
}

const readAgents = async (call: Call): Promise<Agents> =>
  new Map((await pagesOf(call, '/agents?', agent)).map(({ id, contact }) => [id, contact]))

const filesOf = (found: Ticket['attachments']): RawItem['messages'][number]['files'] =>
  found.slice(0, 100).map(({ name, size, attachment_url }) => ({
    ...{ name: name.slice(0, 300), size: Math.max(0, Math.trunc(size)), url: attachment_url.slice(0, 2000) },
  }))

function itemOf(one: Ticket, replies: z.output<typeof reply>[], agents: Agents): RawItem {
  const customer = { name: one.requester?.name ?? '', email: one.requester?.email ?? '' }
  const opener = agents.get(one.requester_id ?? 0)
  const messages = replies.map(({ id, body, incoming, user_id, from_email, created_at: at, ...more }) => {
    const known = agents.get(user_id ?? 0)
    const author = known
      ? { id: known.email, name: known.name, role: 'agent' as const }
      : { id: incoming ? customer.email || from_email : String(user_id ?? ''), name: incoming ? customer.name : '' }
    return {
      ...{ id: String(id), at, kind: more.private ? ('note' as const) : ('message' as const), text: textOfHtml(body) },
      author: { role: incoming ? ('customer' as const) : ('agent' as const), ...author },
      files: filesOf(more.attachments),
    }
  })
  // the ticket itself has the first words
  const first = {
    ...{ id: `ticket-${one.id}`, at: one.created_at, kind: 'message' as const, text: textOfHtml(one.description) },
    author: { id: customer.email, name: customer.name, role: opener ? ('agent' as const) : ('customer' as const) },
    files: filesOf(one.attachments),
  }
  return {
    ...{ kind: 'ticket', id: String(one.id), subject: one.subject.slice(0, 500), startedAt: one.created_at },
    customer: { name: customer.name.slice(0, 200), email: customer.email.slice(0, 320) },
    deleted: one.deleted || one.spam,
    messages: [first, ...messages].map((said) => ({
      ...said,
      author: { ...said.author, name: said.author.name.slice(0, 200), id: said.author.id.slice(0, 320) },
    })),
  }
}
