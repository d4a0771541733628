import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { contains } from '../db/page.ts'

/** Texts that may quote a customer whom somebody erases. They stay: people decide about them. */
export interface Quote {
  /** "Bugs, feature requests and internal tickets" */
  place: string
  /** Why the texts stay, or how people remove them. */
  why: string
  /** Number of rows with this address, at most 1,000. */
  count(db: Db, address: string): Promise<number>
}

const MOST = 1000

/** Rows of a table whose text contains the address. The search index covers the lower case of `text`. */
export const quotesIn = (place: string, why: string, table: string, text: SQL, among = sql`true`): Quote => ({
  place,
  why,
  count: (db, address) =>
    countSome(db, sql`select from ${sql.identifier(table)} where ${among} and ${contains(text, address)}`),
})

/** Number of rows of a query, at most 1,000. */
export async function countSome(db: Db, query: SQL): Promise<number> {
  const [found] = await rows<{ n: number }>(db, sql`select count(*)::int as n from (${query} limit ${MOST}) as found`)
  return found?.n ?? 0
}
