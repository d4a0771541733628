import { type AnyColumn, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { invalid } from '../http/errors.ts'
import type { Db } from './db.ts'
import { readText, textOf } from './driver/prepared.ts'

const BOUND = 10_000

export interface Listing {
  page: number
  itemsPerPage: number
  /** Rows to leave out, for the calls that do not count by pages. */
  offset?: number | undefined
  after?: string | undefined
  direction?: 'ASC' | 'DESC' | undefined
}

/** How a list is found: its table, what is in it, and the column that orders it (then the key, so that order is total). */
export interface Source {
  from: SQL
  where: SQL[]
  key: AnyColumn | SQL
  order: { column: AnyColumn | SQL; type: 'text' | 'instant' | 'day' | 'int'; direction: 'ASC' | 'DESC' }
}

export const all = (conditions: SQL[]) => (conditions.length ? sql.join(conditions, sql` and `) : sql`true`)

/**
 * The keys of one page and the bounded total. Page n costs what page 1 costs when `after` came with it; a page in the
 * second half of a counted list is read from its end; only a cold jump counts rows, over the index that orders it.
 */
export async function pageKeys(
  db: Db,
  input: Listing,
  source: Source,
): Promise<{ ids: number[]; total: number; more?: true; next?: string }> {
  const size = input.itemsPerPage
  const list = written(db, source)
  const direction = input.direction ?? source.order.direction
  const skipped = skippedBy(input)
  const { found, ordered } =
    (await searchOnce(db, input, list, direction)) ?? (await countAndRead(db, input, list, direction))
  const last = ordered.at(-1)
  const isLast = ordered.length < size || (found <= BOUND && skipped + ordered.length >= found)
  return {
    ids: ordered.map((row) => row.id),
    total: Math.min(found, BOUND),
    ...(found > BOUND && { more: true as const }),
    ...(last && !isLast && { next: Buffer.from(JSON.stringify([last.sort, last.id])).toString('base64url') }),
  }
}

const skippedBy = ({ page, itemsPerPage, offset }: Listing) => offset ?? (page - 1) * itemsPerPage

type Direction = 'ASC' | 'DESC'
interface Key {
  id: number
  sort: string
}

/** A source as text. Its conditions are written once for page and count: that is what costs, not the sending. */
interface List {
  /** `from … where …`, and its values. */
  found: string
  /** The table that comes first in it. */
  table: string
  values: unknown[]
  key: string
  column: string
  cast: (typeof casts)[keyof typeof casts]
  /**
   * Found by what the rows have in common before they are put in order. Where filters hardly ever meet, reading in order
   * would walk the whole table for a page that never fills; the planner, who knows each filter alone, expects it to fill
   * soon. `offset 0` keeps it from looking further.
   */
  gathered?: boolean
}

const casts = { text: 'text', instant: 'timestamptz', day: 'date', int: 'bigint' } as const

function written(db: Db, { from, where, key, order }: Source): List {
  const { sql: found, params: values } = textOf(db, sql`from ${from} where ${all(where)}`)
  const [, table = ''] = /\bfrom "?(\w+)/.exec(found) ?? []
  return { found, table, values, key: nameOf(db, key), column: nameOf(db, order.column), cast: casts[order.type] }
}

const known = new WeakMap<AnyColumn | SQL, string>()

/** Columns and expressions without values: the same text each time. */
function nameOf(db: Db, column: AnyColumn | SQL): string {
  const name = known.get(column) ?? textOf(db, sql`${column}`).sql
  known.set(column, name)
  return name
}

interface Read {
  /** How many there are in all, or one more than the bound. */
  found: number
  /** Those of the page. */
  ordered: Key[]
}

async function countAndRead(db: Db, input: Listing, list: List, direction: Direction): Promise<Read> {
  const found = await boundedCount(db, list)
  const gathered = found <= BOUND && found * found <= input.itemsPerPage * (await aboutRows(db, list.table))
  return { found, ordered: await readPage(db, input, { ...list, gathered }, direction, found) }
}

/** The first page of a search that finds few, and their number, at once: to search is what costs. Absent: count it, then read. */
async function searchOnce(db: Db, input: Listing, list: List, direction: Direction): Promise<Read | undefined> {
  if (!hasPattern(list) || skippedBy(input) > 0 || input.after || keptCount(db, list) !== undefined) return undefined
  const n = list.values.length
  const text = `select id, sort::text, n from (select id, sort, count(*) over ()::int as n from (
      select ${list.key} as id, ${list.column} as sort ${list.found} limit $${n + 1}) as found) as counted
    order by counted.sort ${direction}, id ${direction} limit $${n + 2}`
  const values = [...list.values, BOUND + 1, input.itemsPerPage]
  const read = await readText<Key & { n: number }>(db, text, values, 'once')
  const found = keepCount(db, list, read[0]?.n ?? 0)
  return found > BOUND ? undefined : { found, ordered: read.map(keyOf) }
}

/** Behind a key, from the end backwards, or, for a cold jump, past so many rows. */
async function readPage(db: Db, input: Listing, list: List, direction: Direction, found: number): Promise<Key[]> {
  const { itemsPerPage: size, after } = input
  if (after) return readKeys(db, behind(list, after, direction), direction, size, 0)
  const skipped = skippedBy(input)
  if (found > BOUND || skipped <= found / 2) return readKeys(db, list, direction, size, skipped)
  const take = Math.min(size, found - skipped)
  if (take <= 0) return []
  const backwards = direction === 'ASC' ? 'DESC' : 'ASC'
  return (await readKeys(db, list, backwards, take, found - skipped - take)).reverse()
}

/** A pattern has to be planned for what it looks for: a plan for any was 13 times slower. */
const hasPattern = ({ found }: List) => found.includes(' like ')

async function readKeys(db: Db, list: List, direction: Direction, take: number, offset: number): Promise<Key[]> {
  const { found, values, key, column, gathered } = list
  const n = values.length
  const order = (sort: string, id: string) =>
    `order by ${sort} ${direction}, ${id} ${direction} limit $${n + 1} offset $${n + 2}`
  const text = gathered
    ? `select id, sort::text from (select ${key} as id, ${column} as sort ${found} offset 0) as few ${order('few.sort', 'id')}`
    : `select ${key} as id, ${column}::text as sort ${found} ${order(column, key)}`
  const read = await readText<Key>(db, text, [...values, take, offset], hasPattern(list) ? 'once' : 'kept')
  return read.map(keyOf)
}

const keyOf = ({ id, sort }: Key): Key => ({ id: Number(id), sort }) // a bigint comes as text

function behind(list: List, after: string, direction: Direction): List {
  const { column, key, cast, values } = list
  const is = direction === 'ASC' ? '>' : '<'
  const [sort, id] = [`$${values.length + 1}::${cast}`, `$${values.length + 2}::bigint`]
  const row = `(${column}, ${key}) ${is} (${sort}, ${id})`
  // of two tables: no index begins there by the row
  const beyond = column.includes(key.replace(/[^.]*$/, '')) ? row : `${column} ${is}= ${sort} and ${row}`
  return { ...list, found: `${list.found} and ${beyond}`, values: [...list.values, ...readAfter(after)] }
}

function readAfter(after: string): [sort: string, id: number] {
  try {
    const [sort, id] = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown[]
    if (typeof sort !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('not a key')
    return [sort, id]
  } catch {
    throw invalid({ after: 'Not a key that a list gave' })
  }
}

const KEPT_MS = 10_000
const counts = new WeakMap<Db, Map<string, { found: number; until: number }>>()
const named = ({ found, values }: List) => found + JSON.stringify(values)

/** Up to one more than the bound. Counting costs more than a page does, so it is remembered until something changes. */
async function boundedCount(db: Db, list: List): Promise<number> {
  const kept = keptCount(db, list)
  if (kept !== undefined) return kept
  const text = `select count(*)::int as n from (select 1 ${list.found} limit ${BOUND + 1}) as bounded`
  const [{ n } = { n: 0 }] = await readText<{ n: number }>(db, text, list.values, 'once')
  return keepCount(db, list, n)
}

function keptCount(db: Db, list: List): number | undefined {
  const known = counts.get(db)?.get(named(list))
  return known && known.until > Date.now() ? known.found : undefined
}

function keepCount(db: Db, list: List, found: number): number {
  const kept = counts.get(db) ?? new Map<string, { found: number; until: number }>()
  if (kept.size >= 1000) kept.clear()
  counts.set(db, kept.set(named(list), { found, until: Date.now() + KEPT_MS }))
  return found
}

const SIZES_KEPT_MS = 60_000
const sizes = new WeakMap<Db, Map<string, { rows: number; until: number }>>()

/** What PostgreSQL takes a table's rows to be; 0 while it does not know: then nothing is large. */
async function aboutRows(db: Db, table: string): Promise<number> {
  const kept = sizes.get(db) ?? new Map<string, { rows: number; until: number }>()
  const known = kept.get(table)
  if (known && known.until > Date.now()) return known.rows
  const text = 'select reltuples::float8 as rows from pg_class where oid = to_regclass($1)'
  const [{ rows } = { rows: 0 }] = await readText<{ rows: number }>(db, text, [table], 'kept')
  sizes.set(db, kept.set(table, { rows: Math.max(0, rows), until: Date.now() + SIZES_KEPT_MS }))
  return Math.max(0, rows)
}

/** Somebody wrote: this node after each of its writes, all nodes when they are told that something changed. */
export const forgetCounts = (db: Db): void => {
  counts.get(db)?.clear()
}

/** Puts fetched rows into the order of their keys. */
export function inOrder<T extends { id: number }>(ids: number[], found: T[]): T[] {
  const byId = new Map<number, T>()
  for (const row of found) byId.set(row.id, row)
  const ordered: T[] = []
  for (const id of ids) {
    const row = byId.get(id)
    if (row) ordered.push(row)
  }
  return ordered
}

/** Text for `like`, with its own wildcards taken as letters. */
export const likeText = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/**
 * A name of the Internet with this text in it, as people write names too: `büch` finds `xn--bcher-kva.example`. Only names that
 * begin so in one of their labels are written otherwise: they alone are in the index over `as_written` of their table.
 */
export function nameLike(name: SQLWrapper, text: string): SQL {
  const typed = text.normalize('NFKC') // as a browser reads a name
  const asItIs = sql`${name} like ${likeText(typed)}`
  if (!/[^\0-\x7f]/.test(typed)) return asItIs
  return sql`(${asItIs} or ${name} like '%xn--%' and as_written(${name}) like ${likeText(typed)})`
}
