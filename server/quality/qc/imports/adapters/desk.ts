import { checkItem, type Items, type Read } from '../source.ts'
import type { Asked, RawItem } from './adapter.ts'
import { ask, NotAnswered } from './ask.ts'
import { openLane, readAhead } from './lane.ts'

/** Requests at a time; items that are read before they are stored; items of earlier runs that a run reads again. */
const AT_ONCE = 6
const AHEAD = 20
const AGAIN = 100
/** Each run reads this span again: help desks list a change some seconds later. */
const OVERLAP_MS = 5 * 60_000

export type Call = (path: string) => Promise<unknown>

/** Calls below a base address, a few at a time, fewer while the help desk is busy. */
export function caller({ reach }: Asked, base: string, headers: Record<string, string>): Call {
  const lane = openLane(AT_ONCE)
  const all = { accept: 'application/json', ...headers }
  return (path) => ask(reach, { url: `${base}${path}`, method: 'GET', headers: all }, { lane })
}

/** The address of a help desk, without a path that people copy along with it. */
export const baseOf = ({ url = '' }: Asked['config'], without: string): string => {
  const base = url.replace(/(?<!\/)\/+$/, '')
  return without && base.endsWith(without) ? base.slice(0, -without.length) : base
}

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/**
 * Pages of a list in the order of changes, up to one that is not full. What changes during the run moves to the end and would
 * push others over the border of a page: the next request starts at the last time, not at the next page.
 */
export async function* pagesSince<T>(
  since: Date,
  {
    size,
    changedAt,
    read,
  }: { size: number; changedAt: (one: T) => string; read: (from: Date, page: number) => Promise<T[]> },
): AsyncGenerator<T[]> {
  let from = since
  for (let page = 1; ; ) {
    const found = await read(from, page)
    yield found
    const last = found.at(-1)
    if (!last || found.length < size) return
    const at = new Date(changedAt(last))
    page = at.getTime() > from.getTime() ? 1 : page + 1
    from = at
  }
}

/** A help desk that lists what changed since a time, the oldest change first, and answers each item by its id. */
export interface Desk<T> {
  /** `ticket`, `conversation`. */
  noun: string
  /** Pages of changed items. */
  changed(since: Date): AsyncIterable<readonly T[]>
  idOf(one: T): number
  /** Time of the change, as the list is ordered. */
  changedAt(one: T): string
  one(id: number): Promise<T>
  item(one: T): Promise<RawItem>
}

/** Reads what changed since the cursor, and then items that earlier runs could not read. */
export async function* readDesk<T>(desk: Desk<T>, { cursor, unread }: Asked): Items {
  let line = 0
  const seen = new Set<string>()
  const keyOf = (one: T) => `${desk.idOf(one)} ${desk.changedAt(one)}`
  for await (const page of desk.changed(new Date((Date.parse(cursor ?? '') || OVERLAP_MS) - OVERLAP_MS))) {
    const fresh = page.filter((one) => !seen.has(keyOf(one)))
    for (const one of fresh) seen.add(keyOf(one))
    let silent = 0
    for await (const { isSilent, ...read } of readAhead(fresh, AHEAD, (one) => readOne(desk, one))) {
      silent = isSilent ? silent + 1 : 0
      // one item may be too much for a help desk; several in a row: the next run continues here
      if (silent === AT_ONCE) throw new NotAnswered('the help desk no longer answers')
      yield { ...read, line: ++line }
    }
  }
  const known = new Set([...seen].map((key) => key.split(' ', 1)[0]))
  const again = unread.filter((id) => !known.has(id)).slice(0, AGAIN)
  for await (const read of readAhead(again, AHEAD, (id) => readUnread(desk, id))) yield { ...read, line: ++line }
}

/** An item, or the reason why it cannot be read. */
async function readOne<T>(desk: Desk<T>, one: T): Promise<Read & { isSilent?: boolean }> {
  try {
    return { ...checkItem(await desk.item(one), 0), cursor: desk.changedAt(one) }
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    const id = desk.idOf(one)
    const { isSilent } = error
    return {
      line: 0,
      reason: `${desk.noun} ${id}: ${error.message}`,
      unread: String(id),
      ...(isSilent && { isSilent }),
    }
  }
}

/** An item that an earlier run could not read. Its time is no cursor. */
async function readUnread<T>(desk: Desk<T>, id: string): Promise<Read> {
  try {
    const { cursor: _, isSilent: __, ...read } = await readOne(desk, await desk.one(Number(id)))
    return read
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    const isGone = error.message === 'answered 404'
    return { line: 0, reason: `${desk.noun} ${id}: ${error.message}`, ...(isGone ? { gone: id } : { unread: id }) }
  }
}
