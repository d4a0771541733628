import * as z from 'zod'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { baseOf, basic, type Call, caller, type Desk, readDesk } from './desk.ts'
import { textOfHtml } from './html.ts'
import { parsedAs, text } from './parsed.ts'

/** Most pages of the comments of a ticket, of 100 each. */
const MOST_PAGES = 200

const when = z.iso.datetime({ offset: true })
const ticket = z.object({
  id: z.int(),
  subject: text,
  status: text,
  requester_id: z.number().nullish(),
  tags: z.array(z.string()).catch([]),
  satisfaction_rating: z.object({ score: text }).nullish().catch(null),
  via: z.object({ channel: text }).nullish().catch(null),
  created_at: when,
  updated_at: when,
  /** Seconds; the order of the export. Absent where a ticket is read alone. */
  generated_timestamp: z.number().optional(),
})
const exported = z.object({
  tickets: z.array(ticket),
  after_cursor: text,
  end_of_stream: z.boolean(),
})
const user = z.object({ id: z.number(), name: text, email: text, role: text })
const comment = z.object({
  id: z.int(),
  author_id: z.number(),
  html_body: text,
  plain_body: text,
  public: z.boolean().catch(true),
  created_at: when,
  attachments: z
    .array(z.object({ file_name: text, size: z.coerce.number().catch(0), content_url: text }))
    .nullish()
    .transform((found) => found ?? []),
})
const comments = z.object({
  comments: z.array(comment),
  users: z.array(user).catch([]),
  meta: z
    .object({ has_more: z.boolean().catch(false), after_cursor: text })
    .nullish()
    .catch(null),
})
type Ticket = z.output<typeof ticket>
type Comment = z.output<typeof comment>
type User = z.output<typeof user>

const parsed = parsedAs('the API of Zendesk')

/**
 * Tickets of Zendesk by its incremental export: `config.url`; `user` is the e-mail address of the account, the password an API
 * token; without a user, the password is an OAuth token. `queue` limits to a tag.
 */
export const zendesk: Adapter = {
  lacks: ({ url = '' }) => (/^https?:/.test(url) ? undefined : { url: 'The address of Zendesk' }),
  read: (asked) => readDesk(deskOf(asked), asked),
}

function deskOf(asked: Asked): Desk<Ticket> {
  const { config, secret } = asked
  const authorization = config.user ? basic(`${config.user}/token`, secret) : `Bearer ${secret}`
  const call = caller(asked, `${baseOf(config, '/api/v2')}/api/v2`, { authorization })
  return {
    noun: 'ticket',
    changed: (since) => changed(call, since, config.queue),
    idOf: ({ id }) => id,
    changedAt: ({ updated_at, generated_timestamp: at }) =>
      at === undefined ? updated_at : new Date(at * 1000).toISOString(),
    one: async (id) => parsed(z.object({ ticket }), await call(`/tickets/${id}.json`)).ticket,
    item: async (one) => itemOf(one, await commentsOf(call, one)),
  }
}

/** The export by cursor: it names each ticket that changed once, the oldest change first. */
async function* changed(call: Call, since: Date, tag: string | undefined): AsyncGenerator<Ticket[]> {
  let query = `start_time=${Math.max(0, Math.floor(since.getTime() / 1000))}`
  for (;;) {
    const page = parsed(exported, await call(`/incremental/tickets/cursor.json?${query}`))
    yield page.tickets.filter(({ tags }) => !tag || tags.includes(tag))
    if (page.end_of_stream || !page.after_cursor) return
    query = `cursor=${encodeURIComponent(page.after_cursor)}`
  }
}

interface Said {
  comments: Comment[]
  users: ReadonlyMap<number, User>
}

/** The comments of a ticket with their authors; none of a deleted one, which Zendesk does not answer. */
async function commentsOf(call: Call, { id, status }: Ticket): Promise<Said> {
  const found: Comment[] = []
  const users = new Map<number, User>()
  let after = ''
  for (let page = 0; status !== 'deleted' && page < MOST_PAGES; page++) {
    const more = after && `&page%5Bafter%5D=${encodeURIComponent(after)}`
    const answer = parsed(comments, await call(`/tickets/${id}/comments.json?include=users&page%5Bsize%5D=100${more}`))
    found.push(...answer.comments)
    for (const one of answer.users) users.set(one.id, one)
    if (!answer.meta?.has_more) break
    after = answer.meta.after_cursor
  }
  return { comments: found, users }
}

/** Zendesk asks for good or bad: the ends of a scale from 1 to 5. */
const ratings: Record<string, number> = { good: 5, bad: 1, good_with_comment: 5, bad_with_comment: 1 }
const chats = new Set(['chat', 'messaging', 'native_messaging', 'whatsapp', 'facebook', 'twitter_dm'])

function itemOf(one: Ticket, { comments: said, users }: Said): RawItem {
  const requester = users.get(one.requester_id ?? 0)
  const into = one.tags.includes('closed_by_merge') ? mergedInto(said) : undefined
  return {
    ...{ kind: chats.has(one.via?.channel ?? '') ? 'chat' : 'ticket', id: String(one.id), startedAt: one.created_at },
    subject: one.subject.slice(0, 500),
    customer: { name: (requester?.name ?? '').slice(0, 200), email: (requester?.email ?? '').slice(0, 320) },
    csat: ratings[one.satisfaction_rating?.score ?? ''] ?? null,
    deleted: one.status === 'deleted',
    ...(into && { mergedInto: into }),
    messages: said.map((each) => messageOf(each, users.get(each.author_id))),
  }
}

/** The last comment of a merged ticket names the ticket that goes on. */
const mergedInto = (said: readonly Comment[]) => /#(\d{1,15})/.exec(said.at(-1)?.plain_body ?? '')?.[1]

function messageOf(one: Comment, author: User | undefined): RawItem['messages'][number] {
  const isStaff = author !== undefined && author.role !== 'end-user'
  return {
    ...{ id: String(one.id), at: one.created_at, kind: one.public ? 'message' : 'note' },
    text: one.html_body ? textOfHtml(one.html_body) : one.plain_body,
    author: {
      id: (author?.email || String(one.author_id)).slice(0, 320),
      name: (author?.name ?? '').slice(0, 200),
      role: one.author_id < 0 ? 'system' : isStaff ? 'agent' : 'customer',
    },
    files: one.attachments.slice(0, 100).map(({ file_name, size, content_url }) => ({
      ...{ name: file_name.slice(0, 300), size: Math.max(0, Math.trunc(size)), url: content_url.slice(0, 2000) },
    })),
  }
}
