import * as z from 'zod'
import { checkItem, type Items, type Read } from '../source.ts'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { ask, NotAnswered } from './ask.ts'
import { textOfHtml } from './html.ts'
import { openLane, readAhead } from './lane.ts'
import { parsedAs, text } from './parsed.ts'

/** Tickets in one page of a search; most requests in parallel; tickets that are read before they are stored. */
const PAGE = 100
const AT_ONCE = 6
const AHEAD = 20
/** Tickets of earlier runs that a run reads again. */
const AGAIN = 100
/** Each run reads this span again: the search index of Zammad follows the tickets some seconds later. */
const OVERLAP_MS = 5 * 60_000

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
  read: (asked) => readTickets(asked),
}

type Call = (path: string) => Promise<unknown>

const baseOf = ({ url = '' }: Asked['config']) => url.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '')

function caller({ reach, config, secret }: Asked): Call {
  const authorization = config.user
    ? `Basic ${Buffer.from(`${config.user}:${secret}`).toString('base64')}`
    : `Token token=${secret}`
  const headers = { authorization, accept: 'application/json' }
  const { run, slow: busy } = openLane(AT_ONCE)
  return (path) => run(() => ask(reach, { url: `${baseOf(config)}/api/v1${path}`, method: 'GET', headers }, { busy }))
}

async function* readTickets(asked: Asked): Items {
  const call = caller(asked)
  let line = 0
  let from = new Date((Date.parse(asked.cursor ?? '') || OVERLAP_MS) - OVERLAP_MS)
  const seen = new Set<string>()
  for (let page = 1; ; ) {
    const found = await search(call, from, asked.config.queue, page)
    const fresh = found.filter(({ id, updated_at }) => !seen.has(`${id} ${updated_at}`))
    for (const { id, updated_at } of fresh) seen.add(`${id} ${updated_at}`)
    for await (const read of readAhead(fresh, AHEAD, (one) => readTicket(call, one, asked)))
      yield { ...read, line: ++line }
    if (found.length < PAGE) break
    // tickets that change during the run move to the end: the next search starts at the last time, not at the next page
    const last = new Date(found.at(-1)!.updated_at) // a full page has a last ticket
    page = last.getTime() > from.getTime() ? 1 : page + 1
    from = last
  }
  const again = asked.unread.filter((id) => ![...seen].some((key) => key.startsWith(`${id} `))).slice(0, AGAIN)
  for await (const read of readAhead(again, AHEAD, (id) => readUnread(call, id, asked))) yield { ...read, line: ++line }
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

/** A ticket with its articles, or the reason why it cannot be read. */
async function readTicket(call: Call, one: Ticket, asked: Asked): Promise<Read> {
  try {
    const articles = parsed(z.array(article), await call(`/ticket_articles/by_ticket/${one.id}?expand=true`))
    const messages = articles.map((each) => messageOf(each, one, baseOf(asked.config)))
    const into = one.state === 'merged' ? await mergedInto(call, one.id) : undefined
    return { ...checkItem(itemOf(one, messages, into, articles), 0), cursor: one.updated_at }
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    return { line: 0, reason: `ticket ${one.id}: ${error.message}`, unread: String(one.id) }
  }
}

/** A ticket that an earlier run could not read. Its time is no cursor. */
async function readUnread(call: Call, id: string, asked: Asked): Promise<Read> {
  try {
    const one = parsed(ticket, await call(`/tickets/${Number(id)}?expand=true`))
    const { cursor: _, ...read } = await readTicket(call, one, asked)
    return read
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    const isGone = error.message === 'answered 404'
    return { line: 0, reason: `ticket ${id}: ${error.message}`, ...(isGone ? { gone: id } : { unread: id }) }
  }
}

/** The ticket that absorbed a merged one: Zammad links it as the parent. */
async function mergedInto(call: Call, id: number): Promise<string | undefined> {
  const found = parsed(links, await call(`/links?link_object=Ticket&link_object_value=${id}`))
  const parent = found.links.find(({ link_type }) => link_type === 'parent')
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
  const { id, from, body, content_type, sender, internal, created_at: at, created_by, attachments } = one
  return {
    ...{ id: String(id), at, kind: internal ? 'note' : 'message' },
    author: { id: created_by || addressOf(from), name: nameOf(from), role: roles[sender] ?? 'system' },
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
