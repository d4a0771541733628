import * as z from 'zod'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { baseOf, type Call, caller, type Desk, readDesk } from './desk.ts'
import { textOfHtml } from './html.ts'
import { parsedAs, text } from './parsed.ts'

/** Messages in one answer; most pages of messages, and of conversations, in one run. */
const MESSAGES = 100
const MOST_PAGES = 200
const MOST_LISTS = 20_000

const someone = z.object({ id: z.int().nullish(), name: text, email: text, type: text })
const conversation = z.object({
  id: z.int(),
  created_at: z.int(),
  last_activity_at: z.int(),
  meta: z.object({ sender: someone.nullish() }),
  additional_attributes: z.object({ mail_subject: text }).nullish().catch(null),
})
const list = z.object({ data: z.object({ payload: z.array(conversation) }) })
const message = z.object({
  id: z.int(),
  content: text,
  content_type: text,
  /** 0 from the customer, 1 to the customer, 2 activity, 3 by a template. */
  message_type: z.int(),
  created_at: z.int(),
  private: z.boolean().catch(false),
  sender: someone.nullish(),
  content_attributes: z
    .object({
      deleted: z.boolean().nullish(),
      submitted_values: z
        .object({ csat_survey_response: z.object({ rating: z.int() }).nullish() })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  /** A file without a type is null. A place and a contact card have no address. */
  attachments: z
    .array(z.object({ file_type: text, file_size: z.coerce.number().catch(0), data_url: text }).nullable())
    .nullish()
    .transform((found) => found?.filter((file) => file !== null) ?? []),
})
const messages = z.object({ payload: z.array(message) })
const agents = z.array(z.object({ id: z.int(), email: text }))
/** E-mail addresses of agents by their numbers. */
type Emails = ReadonlyMap<number, string>
type Conversation = z.output<typeof conversation>
type Message = z.output<typeof message>

const parsed = parsedAs('the API of Chatwoot')

/**
 * Conversations of Chatwoot by its application API: `config.url`, `user` is the number of the account, the password an
 * access token; `queue` limits to the number of an inbox.
 */
export const chatwoot: Adapter = {
  lacks: ({ url = '', user = '' }): Record<string, string> | undefined => {
    if (!/^https?:/.test(url)) return { url: 'The address of Chatwoot' }
    return /^\d{1,9}$/.test(user) ? undefined : { user: 'The number of the account' }
  },
  read: (asked) => readDesk(deskOf(asked), asked),
}

/**
 * Chatwoot lists the latest activity first. The list is read back to the cursor, and then its conversations from the
 * oldest on, so that a run which ends early continues where it stopped.
 */
function deskOf(asked: Asked): Desk<Conversation> {
  const base = `${baseOf(asked.config, '')}/api/v1/accounts/${Number(asked.config.user)}`
  const call = caller(asked, base, { api_access_token: asked.secret })
  let emails: Promise<Emails> | undefined
  return {
    noun: 'conversation',
    async *changed(since) {
      yield await listed(call, asked.config.queue, since.getTime() / 1000)
    },
    idOf: ({ id }) => id,
    changedAt: ({ last_activity_at }) => timeOf(last_activity_at),
    one: async (id) => parsed(conversation, await call(`/conversations/${id}`)),
    async item(one) {
      emails ??= emailsOf(call)
      return itemOf(one, await messagesOf(call, one.id), await emails)
    },
  }
}

/** Conversations with activity since a time, the oldest activity first. One that moves up while the list is read is met again. */
async function listed(call: Call, inbox: string | undefined, since: number): Promise<Conversation[]> {
  const found = new Map<number, Conversation>()
  for (let page = 1; page <= MOST_LISTS; page++) {
    const query = new URLSearchParams({
      ...{ status: 'all', assignee_type: 'all', sort_by: 'last_activity_at_desc', page: String(page) },
      ...(inbox && { inbox_id: inbox }),
    })
    const { payload } = parsed(list, await call(`/conversations?${query}`)).data
    for (const one of payload) if (one.last_activity_at >= since && !found.has(one.id)) found.set(one.id, one)
    const last = payload.at(-1)
    if (!last || last.last_activity_at < since) break
  }
  return [...found.values()].sort((a, b) => a.last_activity_at - b.last_activity_at)
}

/** The agents of the account: the sender of a message has no address, and people are recognised by theirs. */
async function emailsOf(call: Call): Promise<Emails> {
  return new Map(parsed(agents, await call('/agents')).map(({ id, email }) => [id, email]))
}

async function messagesOf(call: Call, id: number): Promise<Message[]> {
  const found: Message[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const after = found.at(-1)?.id ?? 0
    const { payload } = parsed(messages, await call(`/conversations/${id}/messages?after=${after}`))
    found.push(...payload.filter((one) => one.id > after))
    if (payload.length < MESSAGES) break
  }
  return found
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

function authorOf({ message_type, sender }: Message, emails: Emails): RawItem['messages'][number]['author'] {
  const isAgent = message_type === 1 && sender?.type === 'user' // others are bots and assistants
  const role = message_type === 0 ? 'customer' : isAgent ? 'agent' : message_type === 2 ? 'system' : 'bot'
  const email = isAgent ? emails.get(sender.id ?? 0) : sender?.email
  return {
    id: (email || String(sender?.id ?? '')).slice(0, 320),
    name: (sender?.name ?? '').slice(0, 200),
    role,
  }
}

function messageOf(one: Message, emails: Emails): RawItem['messages'][number] {
  const isEvent = one.message_type === 2
  return {
    ...{ id: String(one.id), at: timeOf(one.created_at), author: authorOf(one, emails) },
    kind: isEvent ? 'event' : one.private ? 'note' : 'message',
    text: one.content_type === 'incoming_email' ? textOfHtml(one.content) : one.content,
    removed: one.content_attributes?.deleted === true,
    files: one.attachments.slice(0, 100).map(({ file_type, file_size, data_url }) => ({
      ...{ name: (data_url.split('/').at(-1) || file_type).slice(0, 300), url: data_url.slice(0, 2000) },
      size: Math.max(0, Math.trunc(file_size)),
    })),
  }
}

/** The survey about the conversation: its rating of 1 to 5, and no message that people wrote. */
const ratingOf = ({ content_attributes }: Message) => content_attributes?.submitted_values?.csat_survey_response?.rating

function itemOf(one: Conversation, said: readonly Message[], emails: Emails): RawItem {
  const { sender } = one.meta
  const rating = said.map(ratingOf).findLast((found) => found !== undefined)
  return {
    ...{ kind: 'chat', id: String(one.id), startedAt: timeOf(one.created_at) },
    subject: (one.additional_attributes?.mail_subject ?? '').slice(0, 500),
    customer: { name: (sender?.name ?? '').slice(0, 200), email: (sender?.email ?? '').slice(0, 320) },
    csat: rating ?? null,
    messages: said.filter(({ content_type }) => content_type !== 'input_csat').map((each) => messageOf(each, emails)),
  }
}
