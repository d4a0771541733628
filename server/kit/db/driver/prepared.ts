import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../db.ts'
import type { Readers } from './readers.ts'

/** The shared read connections of each pool. The embedded database has none: it has one connection. */
const readersOf = new WeakMap<object, Readers>()

/** Reads that `statement` and `readText` prepare on this pool go to `readers` from now on. */
export const shareReads = (pool: object, readers: Readers): void => void readersOf.set(pool, readers)

const readerOf = ({ client }: Inside['session']): object => readersOf.get(client) ?? client

/**
 * A read that is built once and prepared once per connection; in a transaction too: what was built is only handed to
 * that connection. It may neither write nor lock: see Readers.
 * `const byId = statement((db) => db.select()….where(eq(t.id, sql.placeholder('id'))).prepare('things_by_id'))`
 */
export function statement<P extends object>(build: (db: Db) => P): (db: Db) => P {
  const built = new Map<unknown, P>() // by kind of database: the two drivers have classes of their own
  return (db) => {
    const { session } = insideOf(db)
    const known = built.get(session.constructor) ?? build(db)
    built.set(session.constructor, known)
    return Object.assign(Object.create(known) as P, { client: readerOf(session) })
  }
}

/** What Drizzle has and does not show in its types. */
interface Inside {
  dialect: { sqlToQuery(statement: SQL): { sql: string; params: unknown[] } }
  session: {
    /** The connection, or the pool of them. */
    client: object
    prepareQuery(query: { sql: string; params: unknown[] }, fields: undefined, name?: string): { execute(): unknown }
  }
}
const insideOf = (db: Db) => db as unknown as Inside

/** A statement as PostgreSQL gets it, for callers that put together the text of several. */
export const textOf = (db: Db, statement: SQL) => insideOf(db).dialect.sqlToQuery(statement)

/** `kept`: planned once per connection and then known by name, for text that does not vary with its values; `once`: for these. */
type Plan = 'kept' | 'once'

function prepared(db: Db, sql: string, params: unknown[], plan: Plan) {
  return insideOf(db).session.prepareQuery({ sql, params }, undefined, plan === 'kept' ? statementName(sql) : undefined)
}

/** Rows of a statement that is text already. `T` is what its select list says: nothing checks it. */
export async function runText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  return ((await prepared(db, sql, params, plan).execute()) as { rows: T[] }).rows // of both drivers
}

/** The same of one that neither writes nor locks: see Readers. */
export async function readText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  const query = Object.assign(prepared(db, sql, params, plan), { client: readerOf(insideOf(db).session) })
  return ((await query.execute()) as { rows: T[] }).rows
}

const names = new Map<string, string>()

export function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    if (names.size >= 1000) names.clear() // filters multiply; what a connection knows by name it keeps
    name = `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    names.set(text, name)
  }
  return name
}
