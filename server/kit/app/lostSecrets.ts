import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import type { SecretKind } from './secretKinds.ts'

export interface Lost {
  /** Number of lost secrets of the kind. */
  count: number
  /** Their objects, without deleted ones, and the page of each. */
  objects: { name: string; page: string | null }[]
}

/**
 * The lost secrets of a kind, with the names of up to `most` objects. `living`: without secrets whose object is gone, which
 * nobody can enter again.
 */
export async function lostOf(
  db: Db,
  { prefix, of, enter }: SecretKind,
  most: number,
  { living = false } = {},
): Promise<Lost> {
  const name = sql`s.name`
  const rest = sql`substr(s.name, ${prefix.length + 1}::int)`
  const asked = (query: ((name: SQL, rest: SQL) => SQL) | undefined) =>
    query ? sql`(${query(name, rest)})` : sql`null`
  const found = await rows<{ object: string | null; page: string | null; all: number }>(
    db,
    sql`select object, page, (count(*) over ())::int as "all" from (
        select ${asked(of)}::text as object, ${asked(enter?.page)}::text as page from secrets s
          where s.lost_at is not null and starts_with(s.name, ${prefix})) o
      where ${living && of ? sql`object is not null` : sql`true`} order by 1 limit ${most}`,
  )
  const named = new Map(found.flatMap(({ object, page }) => (object === null ? [] : [[object, page] as const])))
  return { count: found[0]?.all ?? 0, objects: [...named].map(([object, page]) => ({ name: object, page })) }
}
