import * as z from 'zod'
import { checkItem, type Items, type Read } from '../source.ts'
import type { Adapter, Asked, RawItem } from './adapter.ts'
import { ask, NotAnswered } from './ask.ts'

/** Tickets in one page of a search, and tickets that are read in parallel. */
const PAGE = 100
const AT_ONCE = 8
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
  let from = new Date((Date.parse(asked.cursor ?? '') || OVERLAP_MS) - OVERLAP_MS)
  const seen = new Set<string>()
  let line = 0
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
    for (const { id, LastUpdated } of fresh) seen.add(`${id} ${LastUpdated}`)
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const reads = await Promise.all(fresh.slice(at, at + AT_ONCE).map((one) => readOne(call, one, asked)))
      // if several reads in a row fail, the help desk itself fails: the next run reads again
      if (reads.length > 1 && reads.every((read) => 'failed' in read)) throw new NotAnswered('tickets cannot be read')
      for (const read of reads) yield { ...read, line: ++line }
    }
    for (const read of await absorbed(call, fresh)) yield { ...read, line: ++line }
    if (found.length < PAGE) return
    // tickets that change during the run move to the end: the next search starts at the last time instead of the next
    // page
    const last = new Date(found.at(-1)!.LastUpdated) // a full page has a last ticket
    if (Number.isNaN(last.getTime())) throw new NotAnswered('a ticket has no time of its last change')
    page = last.getTime() > from.getTime() ? 1 : page + 1
    from = last
  }
}

type Call = (path: string, body?: unknown) => Promise<unknown>

function caller({ config, secret }: Asked, heard: (clock: Date) => void): Call {
  const base = `${(config.url ?? '').replace(/\/+$/, '').replace(/\/REST\/2\.0$/, '')}/REST/2.0`
  const authorization = config.user
    ? `Basic ${Buffer.from(`${config.user}:${secret}`).toString('base64')}`
    : `token ${secret}`
  const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' }
  return (path, body) =>
    ask(`${base}${path}`, { headers, ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }) }, heard)
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
  const query = new URLSearchParams({
    query: `(${ids.map((id) => `EffectiveId = ${Number(id)}`).join(' OR ')}) AND id > 0`,
    ...{ per_page: '100', fields: 'Subject,Created,LastUpdated,EffectiveId,Requestor,Cc' },
  })
  const found: Ticket[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = parsed(pageOf(ticket), await call(`/tickets?${query}&page=${page}&${people}`))
    found.push(...answer.items)
    pages = Math.min(answer.pages, 100)
  }
  return found.flatMap((one) => (one.id === one.EffectiveId ? [] : [checkItem(itemOf(one, []), 0)]))
}

async function readOne(call: Call, one: Ticket, asked: Asked): Promise<Read & { failed?: true }> {
  const cursor = Number.isNaN(Date.parse(one.LastUpdated)) ? {} : { cursor: one.LastUpdated }
  if (one.id !== one.EffectiveId) return { ...checkItem(itemOf(one, []), 0), ...cursor }
  try {
    const history = await allPages(
      call,
      `/ticket/${Number(one.id)}/history?fields=Type,Creator,Created,OldValue,NewValue&${people}`,
      transaction,
    )
    const told = history.filter(({ Type }) => kinds[Type])
    const meta = 'fields=TransactionId,ContentType,ContentLength,Filename'
    const files = await allPages(call, `/ticket/${Number(one.id)}/attachments?${meta}`, attachment)
    const texts = await textsOf(call, told, files)
    const messages = told.flatMap((step) => messageOf(step, one, { texts, files, asked }))
    return { ...checkItem(itemOf(one, messages), 0), ...cursor }
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    return { line: 0, reason: `ticket ${one.id}: ${error.message}`, failed: true }
  }
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

/** Texts by transaction: the plain text, or else the text of the HTML. Attached files are not fetched. */
async function textsOf(call: Call, steps: Transaction[], files: Attachment[]): Promise<Map<string, string>> {
  const wanted = new Set(steps.map(({ id }) => id))
  const parts = files.filter(
    ({ TransactionId, ContentType, Filename }) =>
      wanted.has(TransactionId) && ContentType.startsWith('text/') && !Filename,
  )
  if (!parts.length) return new Map()
  const terms = parts.map(({ id }, n) => ({
    ...(n > 0 && { entry_aggregator: 'OR' }),
    ...{ field: 'id', operator: '=', value: id },
  }))
  const found = await allPages(call, '/attachments?fields=TransactionId,ContentType,Content', attachment, terms)
  const texts = new Map<string, string>()
  for (const { TransactionId, ContentType, Content } of found) {
    const isPlain = ContentType === 'text/plain'
    if (isPlain || !texts.has(TransactionId)) texts.set(TransactionId, isPlain ? Content : plainOf(Content))
  }
  return texts
}

/** The text of an HTML mail. Callers show the result as text and never render it as HTML. */
export const plainOf = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<(br|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
const entities: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

const kinds: Record<string, 'message' | 'note' | 'event'> = {
  ...{ Create: 'message', Correspond: 'message', Comment: 'note', Status: 'event' },
}

interface Parts {
  texts: ReadonlyMap<string, string>
  files: readonly Attachment[]
  asked: Asked
}

function messageOf(step: Transaction, { Requestor, Cc }: Ticket, { texts, files, asked }: Parts): RawItem['messages'] {
  const { id, Type, Created, Creator, OldValue, NewValue } = step
  const kind = kinds[Type] ?? 'event'
  const isCustomer = [...Requestor, ...Cc].some((one) => one.id === Creator.id)
  const isSystem = Creator.id === 'RT_System'
  const base = (asked.config.url ?? '').replace(/\/+$/, '')
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
