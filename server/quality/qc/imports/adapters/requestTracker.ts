import * as z from 'zod'
import { chunks } from '../../../../kit/db/chunks.ts'
import { checkItem, type Items, type Read } from '../source.ts'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { ask, NotAnswered } from './ask.ts'
import { textOfHtml } from './html.ts'
import { openLane, readAhead } from './lane.ts'

/** Tickets in one page of a search; tickets whose texts are read together; most requests in parallel. */
const PAGE = 100
const GROUP = 20
const AT_ONCE = 10
/** Tickets of earlier runs that a run reads again. */
const AGAIN = 100
/** Groups that are read before they are stored. */
const AHEAD = 3
/** Each run reads this span again: timestamps have whole seconds, and a transaction may commit late. */
const OVERLAP_MS = 5 * 60_000

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ''))
const person = z.object({ id: text, Name: text, RealName: text, EmailAddress: text }).partial({})
const ticket = z.object({
  id: text,
  EffectiveId: text,
  Subject: text,
  Created: text,
  LastUpdated: text,
  Requestor: z.array(person).catch([]),
  Cc: z.array(person).catch([]),
})
const transaction = z.object({
  id: text,
  Type: text,
  Created: text,
  Creator: person,
  OldValue: text,
  NewValue: text,
})
const attachment = z.object({
  id: text,
  TransactionId: text,
  ContentType: text,
  ContentLength: text,
  Filename: text,
  Content: text,
})
const pageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), pages: z.coerce.number().catch(1) })
type Ticket = z.output<typeof ticket>
type Transaction = z.output<typeof transaction>
type Attachment = z.output<typeof attachment>

const people = ['Requestor', 'Cc', 'Creator'].map((field) => `fields[${field}]=Name,RealName,EmailAddress`).join('&')

/** Tickets of Request Tracker by REST 2: `config.url` without `/REST/2.0`, `user` with password, or a token alone. */
export const requestTracker: Adapter = {
  lacks: ({ url = '' }) => (/^https?:/.test(url) ? undefined : { url: 'The address of Request Tracker' }),
  read: (asked) => readTickets(asked),
}

async function* readTickets(asked: Asked): Items {
  let clock: Date | undefined
  const call = caller(asked, (time) => {
    clock = time
  })
  const { queue } = asked.config
  let line = 0
  let from = new Date((Date.parse(asked.cursor ?? '') || OVERLAP_MS) - OVERLAP_MS)
  const seen = new Set<string>()
  const ids = new Set<string>()
  let isFirst = true
  for (let page = 1; ; ) {
    const found = await search(call, from, queue, page)
    // a help desk whose clock was set back stamps changes with times before the cursor
    const isBehind = isFirst && clock !== undefined && clock.getTime() < from.getTime() + OVERLAP_MS
    isFirst = false
    if (isBehind && clock) {
      from = new Date(clock.getTime() - 2 * OVERLAP_MS)
      continue
    }
    const fresh = found.filter(({ id, LastUpdated }) => !seen.has(`${id} ${LastUpdated}`))
    for (const { id, LastUpdated } of fresh) {
      seen.add(`${id} ${LastUpdated}`)
      ids.add(id)
    }
    const merged = absorbed(call, fresh)
    merged.catch(() => {}) // thrown below, after the tickets before it
    for await (const reads of readAhead(chunks(fresh, GROUP), AHEAD, (group) => readGroup(call, group, asked))) {
      // if all reads of a group fail, the help desk itself fails: the next run reads again
      if (reads.length > 1 && reads.every((read) => 'failed' in read)) throw new NotAnswered('tickets cannot be read')
      for (const read of reads) yield { ...read, line: ++line }
    }
    for (const read of await merged) yield { ...read, line: ++line }
    if (found.length < PAGE) break
    // tickets that change during the run move to the end: the next search starts at the last time instead of the next
    // page
    const last = new Date(found.at(-1)!.LastUpdated) // a full page has a last ticket
    if (Number.isNaN(last.getTime())) throw new NotAnswered('a ticket has no time of its last change')
    page = last.getTime() > from.getTime() ? 1 : page + 1
    from = last
  }
  // last, so that tickets which the help desk cannot deliver never keep new ones waiting
  const again = asked.unread.filter((id) => !ids.has(id)).slice(0, AGAIN)
  for await (const read of readUnread(call, again, asked)) yield { ...read, line: ++line }
}

/** Tickets that earlier runs could not read. Their times are no cursor. */
async function* readUnread(call: Call, unread: readonly string[], asked: Asked): AsyncGenerator<Read> {
  const inQueue = asked.config.queue ? ` AND Queue = '${asked.config.queue}'` : ''
  for (const ids of chunks(unread, GROUP)) {
    const terms = ids.map((id) => `id = ${Number(id)}`).join(' OR ')
    const found = await withEffectiveIds(call, `(${terms}) AND EffectiveId > 0${inQueue}`)
    for (const { cursor: _, ...read } of await readGroup(call, found, asked)) yield read
    for (const id of ids)
      if (!found.some((one) => one.id === id)) yield { line: 0, reason: `ticket ${id} no longer exists`, gone: id }
  }
}

type Call = (path: string, body?: unknown) => Promise<unknown>

function caller({ reach, config, secret }: Asked, heard: (clock: Date) => void): Call {
  const base = `${(config.url ?? '').replace(/(?<!\/)\/+$/, '').replace(/\/REST\/2\.0$/, '')}/REST/2.0`
  const authorization = config.user
    ? `Basic ${Buffer.from(`${config.user}:${secret}`).toString('base64')}`
    : `token ${secret}`
  const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' }
  const lane = openLane(AT_ONCE)
  return (path, body) => {
    const said =
      body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body: JSON.stringify(body) }
    return ask(reach, { url: `${base}${path}`, headers, ...said }, { lane, heard })
  }
}

function parsed<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const result = schema.safeParse(answer)
  if (!result.success) throw new NotAnswered(`an answer is not of REST 2: ${result.error.issues[0]?.path.join('.')}`)
  return result.data
}

async function search(call: Call, from: Date, queue: string | undefined, page: number): Promise<Ticket[]> {
  // Request Tracker finds merged tickets only if the search names EffectiveId
  const terms = [`LastUpdated >= '${from.toISOString().slice(0, 19).replace('T', ' ')} UTC'`, 'EffectiveId > 0']
  if (queue) terms.push(`Queue = '${queue}'`)
  const query = new URLSearchParams({
    ...{ query: terms.join(' AND '), orderby: 'LastUpdated', order: 'ASC', per_page: String(PAGE), page: String(page) },
    fields: 'Subject,Created,LastUpdated,EffectiveId,Requestor,Cc',
  })
  return parsed(pageOf(ticket), await call(`/tickets?${query}&${people}`)).items
}

/** Tickets merged into these. They are searched by EffectiveId, because a merge does not change their LastUpdated. */
async function absorbed(call: Call, tickets: Ticket[]): Promise<Read[]> {
  const ids = tickets.flatMap(({ id, EffectiveId }) => (id === EffectiveId ? [id] : []))
  if (!ids.length) return []
  const terms = ids.map((id) => `EffectiveId = ${Number(id)}`).join(' OR ')
  const found = await withEffectiveIds(call, `(${terms}) AND id > 0`)
  return found.flatMap((one) => (one.id === one.EffectiveId ? [] : [checkItem(itemOf(one, []), 0)]))
}

/** All tickets that a search finds. The search must name `id` and `EffectiveId`, or merged tickets are missing. */
async function withEffectiveIds(call: Call, terms: string): Promise<Ticket[]> {
  const query = new URLSearchParams({
    query: terms,
    ...{ per_page: '100', fields: 'Subject,Created,LastUpdated,EffectiveId,Requestor,Cc' },
  })
  const found: Ticket[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = parsed(pageOf(ticket), await call(`/tickets?${query}&page=${page}&${people}`))
    found.push(...answer.items)
    pages = Math.min(answer.pages, 100)
  }
  return found
}

/** What Request Tracker says about a ticket, without the texts of its messages. */
interface Told {
  one: Ticket
  steps: Transaction[]
  files: Attachment[]
}
type OfTicket = Read & { failed?: true }

/** Reads tickets with about two requests each: one of the history, one of the attachments; the texts of all together. */
async function readGroup(call: Call, tickets: Ticket[], asked: Asked): Promise<OfTicket[]> {
  const told = await Promise.all(tickets.map((one) => orReason(one, () => readSteps(call, one))))
  const read = told.flatMap((one) => ('steps' in one ? [one] : []))
  const together = await textsOf(call, read).catch((error: unknown) => {
    if (error instanceof NotAnswered) return undefined // one of the texts cannot be read: ticket by ticket
    throw error
  })
  return Promise.all(
    told.map((one) => ('steps' in one ? orReason(one.one, () => finished(call, one, together, asked)) : one)),
  )
}

/** The result of reading a ticket, or the reason why it cannot be read. */
const orReason = <R>(one: Ticket, read: () => Promise<R>): Promise<R | OfTicket> =>
  read().catch((error: unknown) => {
    if (!(error instanceof NotAnswered)) throw error
    return { line: 0, reason: `ticket ${one.id}: ${error.message}`, failed: true, unread: one.id }
  })

async function readSteps(call: Call, one: Ticket): Promise<Told> {
  if (one.id !== one.EffectiveId) return { one, steps: [], files: [] }
  const path = `/ticket/${Number(one.id)}`
  const [history, files] = await Promise.all([
    allPages(call, `${path}/history?fields=Type,Creator,Created,OldValue,NewValue&${people}`, transaction),
    allPages(call, `${path}/attachments?fields=TransactionId,ContentType,ContentLength,Filename`, attachment),
  ])
  return { one, steps: history.filter(({ Type }) => kinds[Type]), files }
}

async function finished(call: Call, told: Told, together: Texts | undefined, asked: Asked): Promise<OfTicket> {
  const { one, steps, files } = told
  const cursor = Number.isNaN(Date.parse(one.LastUpdated)) ? {} : { cursor: one.LastUpdated }
  const texts = together ?? (await textsOf(call, [told]))
  const messages = steps.flatMap((step) => messageOf(step, one, { texts, files, asked }))
  return { ...checkItem(itemOf(one, messages), 0), ...cursor }
}

async function allPages<T extends z.ZodType>(
  call: Call,
  path: string,
  item: T,
  body?: unknown,
): Promise<z.output<T>[]> {
  const found: z.output<T>[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const sign = path.includes('?') ? '&' : '?'
    const answer = parsed(pageOf(item), await call(`${path}${sign}per_page=100&page=${page}`, body))
    found.push(...answer.items)
    pages = Math.min(answer.pages, 100)
  }
  return found
}

type Texts = ReadonlyMap<string, string>

/** Texts by transaction: the plain text, or else the text of the HTML. Attached files are not fetched. */
async function textsOf(call: Call, told: readonly Told[]): Promise<Texts> {
  const wanted = new Set(told.flatMap(({ steps }) => steps.map(({ id }) => id)))
  const parts = told
    .flatMap(({ files }) => files)
    .filter(
      ({ TransactionId, ContentType, Filename }) =>
        wanted.has(TransactionId) && ContentType.startsWith('text/') && !Filename,
    )
  const texts = new Map<string, string>()
  const pages = chunks(parts, PAGE)
  const found = await Promise.all(pages.map((page) => contentsOf(call, page)))
  for (const { TransactionId, ContentType, Content } of found.flat()) {
    const isPlain = ContentType === 'text/plain'
    if (isPlain || !texts.has(TransactionId)) texts.set(TransactionId, isPlain ? Content : textOfHtml(Content))
  }
  return texts
}

/** At most 100 attachments with their contents, in one answer. */
function contentsOf(call: Call, parts: Attachment[]): Promise<Attachment[]> {
  const terms = parts.map(({ id }, n) => ({
    ...(n > 0 && { entry_aggregator: 'OR' }),
    ...{ field: 'id', operator: '=', value: id },
  }))
  return allPages(call, '/attachments?fields=TransactionId,ContentType,Content', attachment, terms)
}

const kinds: Record<string, 'message' | 'note' | 'event'> = {
  ...{ Create: 'message', Correspond: 'message', Comment: 'note', Status: 'event' },
}

interface Parts {
  texts: Texts
  files: readonly Attachment[]
  asked: Asked
}

function messageOf(step: Transaction, { Requestor, Cc }: Ticket, { texts, files, asked }: Parts): RawItem['messages'] {
  const { id, Type, Created, Creator, OldValue, NewValue } = step
  const kind = kinds[Type] ?? 'event'
  const isCustomer = [...Requestor, ...Cc].some((one) => one.id === Creator.id)
  const isSystem = Creator.id === 'RT_System'
  const base = (asked.config.url ?? '').replace(/(?<!\/)\/+$/, '')
  return [
    {
      ...{ id, kind, at: Created },
      author: {
        id: Creator.EmailAddress || Creator.Name || Creator.id || '',
        name: Creator.RealName || Creator.Name || '',
        role: isSystem ? 'system' : isCustomer ? 'customer' : 'agent',
      },
      text: kind === 'event' ? `${Type}: ${OldValue} → ${NewValue}` : (texts.get(id) ?? ''),
      files: files
        .filter(({ TransactionId, Filename }) => TransactionId === id && Filename)
        .slice(0, 100)
        .map((file) => ({
          name: file.Filename,
          size: Number(file.ContentLength) || 0,
          url: `${base}/Ticket/Attachment/${Number(id)}/${Number(file.id)}/${encodeURIComponent(file.Filename)}`,
        })),
    },
  ]
}

const itemOf = (one: Ticket, messages: RawItem['messages']): RawItem => ({
  ...{ kind: 'ticket', id: one.id, subject: one.Subject.slice(0, 500), startedAt: one.Created, messages },
  customer: {
    name: one.Requestor[0]?.RealName || one.Requestor[0]?.Name || '',
    email: one.Requestor[0]?.EmailAddress || '',
  },
  ...(one.id !== one.EffectiveId && { mergedInto: one.EffectiveId }),
})
