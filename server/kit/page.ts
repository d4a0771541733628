import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, runText, textOf } from './db.ts'
import { invalid } from './errors.ts'

const BOUND = 10_000

export interface Listing {
  page: number
  itemsPerPage: number
  after?: string | undefined
  direction?: 'ASC' | 'DESC' | undefined
}

/** How a list is found: its table, what is in it, and the column that orders it (then the key, so that order is total). */
export interface Source {
  from: SQL
  where: SQL[]
  key: AnyColumn | SQL
  order: { column: AnyColumn | SQL; type: 'text' | 'instant' | 'int'; direction: 'ASC' | 'DESC' }
  /** The table that `from` names, where filters that are common alone may hardly ever meet: see `gathered`. */
  gather?: PgTable | undefined
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
  const { page, itemsPerPage: size } = input
  const list = written(db, source)
  const direction = input.direction ?? source.order.direction
  const skipped = (page - 1) * size
  // a first page that is not full has counted itself: a search that finds little searches once
  const { gather } = source
  const first = skipped === 0 && !input.after && !gather ? await readKeys(db, list, direction, size, 0) : undefined
  const found = first && first.length < size ? first.length : await boundedCount(db, list)
  const few = gather && found <= BOUND ? written(db, gathered(source, gather)) : list
  const ordered = first ?? (await readPage(db, input, few, direction, found))
  const last = ordered.at(-1)
  const isLast = ordered.length < size || (found <= BOUND && skipped + ordered.length >= found)
  return {
    ids: ordered.map((row) => row.id),
    total: Math.min(found, BOUND),
    ...(found > BOUND && { more: true as const }),
    ...(last && !isLast && { next: Buffer.from(JSON.stringify([last.sort, last.id])).toString('base64url') }),
  }
}

/**
 * The same rows, found by what they have in common before they are put in order. Where two filters hardly ever meet,
 * reading in order would walk the whole table for a page that never fills; the planner, who knows each filter alone,
 * expects it to fill soon. `offset 0` keeps it from looking further.
 */
const gathered = (source: Source, table: PgTable): Source => ({
  ...source,
  from: sql`(select * from ${source.from} where ${all(source.where)} offset 0) as ${table}`,
  where: [],
})

type Direction = 'ASC' | 'DESC'
interface Key {
  id: number
  sort: string
}

/** A source as text. Its conditions are written once for page and count: that is what costs, not the sending. */
interface List {
  /** `from … where …`, and its values. */
  found: string
  values: unknown[]
  key: string
  column: string
  cast: 'text' | 'timestamptz' | 'bigint'
}

const casts = { text: 'text', instant: 'timestamptz', int: 'bigint' } as const

function written(db: Db, { from, where, key, order }: Source): List {
  const { sql: found, params: values } = textOf(db, sql`from ${from} where ${all(where)}`)
  return { found, values, key: nameOf(db, key), column: nameOf(db, order.column), cast: casts[order.type] }
}

const known = new WeakMap<AnyColumn | SQL, string>()

/** Columns and expressions without values: the same text each time. */
function nameOf(db: Db, column: AnyColumn | SQL): string {
  const name = known.get(column) ?? textOf(db, sql`${column}`).sql
  known.set(column, name)
  return name
}

/** Behind a key, from the end backwards, or, for a cold jump, past so many rows. */
async function readPage(
  db: Db,
  { page, itemsPerPage: size, after }: Listing,
  list: List,
  direction: Direction,
  found: number,
): Promise<Key[]> {
  if (after) return readKeys(db, behind(list, after, direction), direction, size, 0)
  const skipped = (page - 1) * size
  if (found > BOUND || skipped <= found / 2) return readKeys(db, list, direction, size, skipped)
  const take = Math.min(size, found - skipped)
  if (take <= 0) return []
  const backwards = direction === 'ASC' ? 'DESC' : 'ASC'
  return (await readKeys(db, list, backwards, take, found - skipped - take)).reverse()
}

/** A pattern has to be planned for what it looks for: a plan for any was 13 times slower. */
const hasPattern = ({ found }: List) => found.includes(' like ')

async function readKeys(db: Db, list: List, direction: Direction, take: number, offset: number): Promise<Key[]> {
  const { found, values, key, column } = list
  const n = values.length
  const text = `select ${key} as id, ${column}::text as sort ${found}
    order by ${column} ${direction}, ${key} ${direction} limit $${n + 1} offset $${n + 2}`
  const read = await runText<Key>(db, text, [...values, take, offset], hasPattern(list) ? 'once' : 'kept')
  return read.map(({ id, sort }) => ({ id: Number(id), sort })) // a bigint comes as text
}

function behind(list: List, after: string, direction: Direction): List {
  const n = list.values.length
  const beyond = `(${list.column}, ${list.key}) ${direction === 'ASC' ? '>' : '<'} ($${n + 1}::${list.cast}, $${n + 2}::bigint)`
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

/** Up to one more than the bound. Counting costs more than a page does, so it is remembered until something changes. */
async function boundedCount(db: Db, { found: list, values }: List): Promise<number> {
  const key = list + JSON.stringify(values)
  const kept = counts.get(db) ?? new Map<string, { found: number; until: number }>()
  const known = kept.get(key)
  if (known && known.until > Date.now()) return known.found
  const text = `select count(*)::int as n from (select 1 ${list} limit ${BOUND + 1}) as bounded`
  const [{ n: found } = { n: 0 }] = await runText<{ n: number }>(db, text, values, 'once')
  if (kept.size >= 1000) kept.clear()
  counts.set(db, kept.set(key, { found, until: Date.now() + KEPT_MS }))
  return found
}

/** Somebody wrote: this node after each of its writes, all nodes when they are told that something changed. */
export const forgetCounts = (db: Db): void => {
  counts.get(db)?.clear()
}

/** Puts fetched rows into the order of their keys. */
export function inOrder<T extends { id: number }>(ids: number[], found: T[]): T[] {
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Text for `like`, with its own wildcards taken as letters. */
export const likeText = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
