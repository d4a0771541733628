import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from './db.ts'
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
  const { column, type } = source.order
  const direction = input.direction ?? source.order.direction
  const where = all(source.where)

  const [{ n: found } = { n: 0 }] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from (select 1 from ${source.from} where ${where} limit ${BOUND + 1}) as bounded`,
  )
  const total = Math.min(found, BOUND)
  const skipped = (page - 1) * size
  const fromEnd = found <= BOUND && !input.after && skipped > found / 2
  const take = fromEnd ? Math.max(0, Math.min(size, found - skipped)) : size
  const offset = input.after ? 0 : fromEnd ? Math.max(0, found - skipped - take) : skipped
  const ascending = (direction === 'ASC') !== fromEnd
  const way = ascending ? sql`asc` : sql`desc`

  const beyond = input.after ? [afterKey(input.after, column, source.key, casts[type], direction)] : []
  const read = take
    ? await rows<{ id: number; sort: string }>(
        db,
        sql`select ${source.key} as id, ${column}::text as sort from ${source.from} where ${all([...source.where, ...beyond])}
          order by ${column} ${way}, ${source.key} ${way} limit ${take} offset ${offset}`,
      )
    : []
  const ordered = fromEnd ? read.reverse() : read
  const last = ordered.at(-1)
  const isLast = ordered.length < size || (found <= BOUND && skipped + ordered.length >= found)
  return {
    ids: ordered.map((row) => row.id),
    total,
    ...(found > BOUND && { more: true as const }),
    ...(last && !isLast && { next: Buffer.from(JSON.stringify([last.sort, last.id])).toString('base64url') }),
  }
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
    return sql`(${column}, ${key}) ${sign} (${sort}::${cast}, ${id}::int)`
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
