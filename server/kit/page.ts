import { type AnyColumn, is, type SQL, StringChunk, sql } from 'drizzle-orm'
import { type Db, prepared } from './db.ts'
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
}

const casts = { text: sql`text`, instant: sql`timestamptz`, int: sql`bigint` }
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
  const direction = input.direction ?? source.order.direction
  const skipped = (page - 1) * size
  // a first page that is not full has counted itself: a search that finds little searches once
  const first = skipped === 0 && !input.after ? await readKeys(db, source, direction, size, 0) : undefined
  const found = first && first.length < size ? first.length : await boundedCount(db, source)
  const ordered = first ?? (await readPage(db, input, source, direction, found))
  const last = ordered.at(-1)
  const isLast = ordered.length < size || (found <= BOUND && skipped + ordered.length >= found)
  return {
    ids: ordered.map((row) => row.id),
    total: Math.min(found, BOUND),
    ...(found > BOUND && { more: true as const }),
    ...(last && !isLast && { next: Buffer.from(JSON.stringify([last.sort, last.id])).toString('base64url') }),
  }
}

type Direction = 'ASC' | 'DESC'
interface Key {
  id: number
  sort: string
}

/** Behind a key, from the end backwards, or, for a cold jump, past so many rows. */
async function readPage(
  db: Db,
  { page, itemsPerPage: size, after }: Listing,
  source: Source,
  direction: Direction,
  found: number,
): Promise<Key[]> {
  const { column, type } = source.order
  if (after) {
    const beyond = afterKey(after, column, source.key, casts[type], direction)
    return readKeys(db, { ...source, where: [...source.where, beyond] }, direction, size, 0)
  }
  const skipped = (page - 1) * size
  if (found > BOUND || skipped <= found / 2) return readKeys(db, source, direction, size, skipped)
  const take = Math.min(size, found - skipped)
  if (take <= 0) return []
  const backwards = direction === 'ASC' ? 'DESC' : 'ASC'
  return (await readKeys(db, source, backwards, take, found - skipped - take)).reverse()
}

function readKeys(
  db: Db,
  { from, where, key, order }: Source,
  direction: Direction,
  take: number,
  offset: number,
): Promise<Key[]> {
  const { column } = order
  const way = direction === 'ASC' ? sql`asc` : sql`desc`
  const query = db
    // wrapped once more, or Drizzle takes the join in `from` for one table and leaves its name off the columns
    .select({ id: sql<number>`${sql`${key}`}`.mapWith(Number), sort: sql<string>`${sql`${column}`}::text` })
    .from(from)
    .where(all(where))
    .orderBy(sql`${column} ${way}`, sql`${key} ${way}`)
    .limit(take)
    .offset(offset)
  return hasPattern(where) ? query : prepared(query)
}

/** A pattern has to be planned for what it looks for: a plan for any was 13 times slower. */
const hasPattern = (where: SQL[]) =>
  where.some(({ queryChunks }) =>
    queryChunks.some((chunk) => is(chunk, StringChunk) && chunk.value.some((text) => text.includes(' like '))),
  )

const KEPT_MS = 10_000
const counts = new WeakMap<Db, Map<string, { found: number; until: number }>>()

/** Up to one more than the bound. Counting costs more than a page does, so it is remembered until something changes. */
async function boundedCount(db: Db, { from, where }: Source): Promise<number> {
  const query = db
    .select({ n: sql<number>`count(*)::int` })
    .from(sql`(select 1 from ${from} where ${all(where)} limit ${BOUND + 1}) as bounded`)
  const { sql: text, params } = query.toSQL()
  const key = JSON.stringify([text, params])
  const kept = counts.get(db) ?? new Map<string, { found: number; until: number }>()
  const known = kept.get(key)
  if (known && known.until > Date.now()) return known.found
  const [{ n: found } = { n: 0 }] = await query
  if (kept.size >= 1000) kept.clear()
  counts.set(db, kept.set(key, { found, until: Date.now() + KEPT_MS }))
  return found
}

/** Somebody wrote: this node after each of its writes, all nodes when they are told that something changed. */
export const forgetCounts = (db: Db): void => {
  counts.get(db)?.clear()
}

function afterKey(
  after: string,
  column: AnyColumn | SQL,
  key: AnyColumn | SQL,
  cast: SQL,
  direction: 'ASC' | 'DESC',
): SQL {
  try {
    const [sort, id] = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown[]
    if (typeof sort !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('not a key')
    const sign = direction === 'ASC' ? sql`>` : sql`<`
    return sql`(${column}, ${key}) ${sign} (${sort}::${cast}, ${id}::bigint)`
  } catch {
    throw invalid({ after: 'Not a key that a list gave' })
  }
}

/** Puts fetched rows into the order of their keys. */
export function inOrder<T extends { id: number }>(ids: number[], found: T[]): T[] {
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Text for `like`, with its own wildcards taken as letters. */
export const likeText = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
