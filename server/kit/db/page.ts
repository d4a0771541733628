import { type AnyColumn, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { invalid } from '../http/errors.ts'
import type { Db } from './db.ts'
import { readText, textOf } from './driver/prepared.ts'

const BOUND = 10_000

export interface Listing {
  page: number
  itemsPerPage: number
  /** Rows to skip, for calls without page numbers. */
  offset?: number | undefined
  after?: string | undefined
  direction?: 'ASC' | 'DESC' | undefined
}

/**
 * Definition of a list: its table, its conditions, and the sort column (the key breaks ties, so that the order is
 * total; a `unique` column has none).
 */
export interface Source {
  from: SQL
  where: SQL[]
  key: AnyColumn | SQL
  order: { column: AnyColumn | SQL; type: keyof typeof casts; direction: 'ASC' | 'DESC'; unique?: boolean }
  /** Counting stops at this number of matches; set a lower one if finding matches is expensive. */
  bound?: number
  /** Conditions that the same rows meet, without what only lets an index give the order: it misleads the plan of the count. */
  counted?: SQL[]
}

export const all = (conditions: SQL[]) => (conditions.length ? sql.join(conditions, sql` and `) : sql`true`)

/**
 * Returns the keys of one page and the bounded total. With `after`, page n costs as much as page 1. A page in the
 * second half of a counted list is read from the end. Only a jump without `after` skips rows, on the index of the sort
 * column: decision 63.
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
  const tally = source.counted ? written(db, { ...source, where: source.counted }) : list
  const { found, ordered } =
    (await searchOnce(db, input, list, direction)) ?? (await countAndRead(db, input, { list, tally }, direction))
  const last = ordered.at(-1)
  const isLast = ordered.length < size || (found <= list.bound && skipped + ordered.length >= found)
  return {
    ids: ordered.map((row) => row.id),
    total: Math.min(found, list.bound),
    ...(found > list.bound && { more: true as const }),
    ...(last && !isLast && { next: Buffer.from(JSON.stringify([last.sort, last.id])).toString('base64url') }),
  }
}

const skippedBy = ({ page, itemsPerPage, offset }: Listing) => offset ?? (page - 1) * itemsPerPage

type Direction = 'ASC' | 'DESC'
interface Key {
  id: number
  sort: string
}

/** A source as text. Page and count share the text of the conditions, because building it is expensive. */
interface List {
  /** `from … where …`, with its values. */
  found: string
  /** The first table of the source. */
  table: string
  values: unknown[]
  key: string
  column: string
  cast: (typeof casts)[keyof typeof casts]
  unique: boolean
  bound: number
  /**
   * Collects the matching rows before sorting. With filters that rarely match together, reading in sort order would
   * scan the whole table for a page that never fills, and the planner, who estimates each filter separately, expects
   * the page to fill soon. `offset 0` prevents that plan.
   */
  gathered?: boolean
}

const casts = { text: 'text', instant: 'timestamptz', day: 'date', int: 'bigint', number: 'float8' } as const

function written(db: Db, { from, where, key, order, bound = BOUND }: Source): List {
  const { sql: found, params: values } = textOf(db, sql`from ${from} where ${all(where)}`)
  const [, table = ''] = /\bfrom "?(\w+)/.exec(found) ?? []
  return {
    found,
    table,
    values,
    key: nameOf(db, key),
    column: nameOf(db, order.column),
    cast: casts[order.type],
    unique: order.unique ?? false,
    bound,
  }
}

const known = new WeakMap<AnyColumn | SQL, string>()

/** SQL text of columns and expressions without values: constant per column. */
function nameOf(db: Db, column: AnyColumn | SQL): string {
  const name = known.get(column) ?? textOf(db, sql`${column}`).sql
  known.set(column, name)
  return name
}

interface Read {
  /** Number of matches, or one more than the bound. */
  found: number
  /** Keys of the page. */
  ordered: Key[]
}

async function countAndRead(
  db: Db,
  input: Listing,
  { list, tally }: { list: List; tally: List },
  direction: Direction,
): Promise<Read> {
  const found = await boundedCount(db, tally)
  const gathered = found <= list.bound && found * found <= input.itemsPerPage * (await aboutRows(db, list.table))
  return { found, ordered: await readPage(db, input, { ...list, gathered }, direction, found) }
}

/**
 * Reads the first page of a search with few matches and their number in one query, because the search itself is
 * expensive. Undefined: too many matches; count, then read.
 */
async function searchOnce(db: Db, input: Listing, list: List, direction: Direction): Promise<Read | undefined> {
  if (!hasPattern(list) || skippedBy(input) > 0 || input.after || keptCount(db, list) !== undefined) return undefined
  const n = list.values.length
  const text = `select id, sort::text, n from (select id, sort, count(*) over ()::int as n from (
      select ${list.key} as id, ${list.column} as sort ${list.found} limit $${n + 1}) as found) as counted
    order by counted.sort ${direction}, id ${direction} limit $${n + 2}`
  const values = [...list.values, list.bound + 1, input.itemsPerPage]
  const read = await readText<Key & { n: number }>(db, text, values, 'once')
  const found = keepCount(db, list, read[0]?.n ?? 0)
  return found > list.bound ? undefined : { found, ordered: read.map(keyOf) }
}

/** Reads after a key, backwards from the end, or, for a jump, with an offset. */
async function readPage(db: Db, input: Listing, list: List, direction: Direction, found: number): Promise<Key[]> {
  const { itemsPerPage: size, after } = input
  if (after) return readKeys(db, behind(list, after, direction), direction, size, 0)
  const skipped = skippedBy(input)
  if (found > list.bound || skipped <= found / 2) return readKeys(db, list, direction, size, skipped)
  const take = Math.min(size, found - skipped)
  if (take <= 0) return []
  const backwards = direction === 'ASC' ? 'DESC' : 'ASC'
  return (await readKeys(db, list, backwards, take, found - skipped - take)).reverse()
}

/** Whether the conditions contain a pattern or words. Such queries are planned for their values: 13 times faster. */
const hasPattern = ({ found }: List) => / like | @@ /.test(found)

async function readKeys(db: Db, list: List, direction: Direction, take: number, offset: number): Promise<Key[]> {
  const { found, values, key, column, gathered, unique } = list
  const n = values.length
  const order = (sort: string, id: string) =>
    `order by ${sort} ${direction}${unique ? '' : `, ${id} ${direction}`} limit $${n + 1} offset $${n + 2}`
  const text = gathered
    ? `select id, sort::text from (select ${key} as id, ${column} as sort ${found} offset 0) as few ${order('few.sort', 'id')}`
    : // skipped rows are not turned into text
      `select id, sort::text from (select ${key} as id, ${column} as sort ${found} ${order(column, key)}) as page`
  const read = await readText<Key>(db, text, [...values, take, offset], hasPattern(list) ? 'once' : 'kept')
  return read.map(keyOf)
}

const keyOf = ({ id, sort }: Key): Key => ({ id: Number(id), sort }) // bigint arrives as text

function behind(list: List, after: string, direction: Direction): List {
  const { column, key, cast, values } = list
  const is = direction === 'ASC' ? '>' : '<'
  const [sort, id] = [`$${values.length + 1}::${cast}`, `$${values.length + 2}::bigint`]
  const row = `(${column}, ${key}) ${is} (${sort}, ${id})`
  // a row comparison only if sort column and key are in one table: otherwise no index begins with both
  const beyond = column.includes(key.slice(0, key.lastIndexOf('.') + 1)) ? row : `${column} ${is}= ${sort} and ${row}`
  return { ...list, found: `${list.found} and ${beyond}`, values: [...list.values, ...readAfter(after)] }
}

function readAfter(after: string): [sort: string, id: number] {
  try {
    const [sort, id] = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown[]
    if (typeof sort !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('not a key')
    return [sort, id]
  } catch {
    throw invalid({ after: 'Not a key that a list returned' })
  }
}

const KEPT_MS = 10_000
const counts = new WeakMap<Db, Map<string, { found: number; until: number }>>()
const named = ({ found, values }: List) => found + JSON.stringify(values)

/** Counts up to one more than the bound. A count costs more than a page and is cached until a write. */
async function boundedCount(db: Db, list: List): Promise<number> {
  const kept = keptCount(db, list)
  if (kept !== undefined) return kept
  const text = `select count(*)::int as n from (select 1 ${list.found} limit ${list.bound + 1}) as bounded`
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

/** PostgreSQL's estimate of a table's rows; 0 if there is none, which treats the table as small. */
async function aboutRows(db: Db, table: string): Promise<number> {
  const kept = sizes.get(db) ?? new Map<string, { rows: number; until: number }>()
  const known = kept.get(table)
  if (known && known.until > Date.now()) return known.rows
  const text = 'select reltuples::float8 as rows from pg_class where oid = to_regclass($1)'
  const [{ rows } = { rows: 0 }] = await readText<{ rows: number }>(db, text, [table], 'kept')
  sizes.set(db, kept.set(table, { rows: Math.max(0, rows), until: Date.now() + SIZES_KEPT_MS }))
  return Math.max(0, rows)
}

/** Clears cached counts: after each write of this node, and on all nodes after a change notification. */
export const clearCounts = (db: Db): void => {
  counts.get(db)?.clear()
}

/** Lets a standby use the counts of its primary, so that both are cleared together. */
export function shareCounts(db: Db, standby: Db): void {
  const kept = counts.get(db) ?? new Map<string, { found: number; until: number }>()
  counts.set(db, kept).set(standby, kept)
}

/** Sorts fetched rows into the order of their keys. */
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

/**
 * True for texts that contain another one, whatever their capitals. An index for it is over `lower(text)` with
 * gin_trgm_ops.
 */
export const contains = (text: SQLWrapper, wanted: string): SQL => sql`lower(${text}) like ${likeText(wanted)}`

/** As `contains`, at the beginning of the text. */
export const startsWith = (text: SQLWrapper, wanted: string): SQL =>
  sql`lower(${text}) like ${likeText(wanted).slice(1)}`

/** Text for `like` with escaped wildcards. */
const likeText = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/**
 * Matches Internet names that contain a text, also in the Unicode form: `büch` matches `xn--bcher-kva.example`. Only
 * names with an `xn--` label differ in that form; only they are in the index over `as_written`.
 */
export function nameLike(name: SQLWrapper, text: string): SQL {
  const typed = text.normalize('NFKC') // normalised as browsers do
  const asItIs = sql`${name} like ${likeText(typed)}`
  if (!/[^\0-\x7f]/.test(typed)) return asItIs
  return sql`(${asItIs} or ${name} like '%xn--%' and as_written(${name}) like ${likeText(typed)})`
}
