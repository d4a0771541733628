import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { isMeasured } from '../../trace/statements.ts'
import type { Db } from '../db.ts'
import type { Readers } from './readers.ts'

/** Shared read connections by pool. The embedded database has none, because it has a single connection. */
const readersOf = new WeakMap<object, Readers>()

/** Sends reads that `statement` and `readText` prepare on this pool to `readers`. */
export const shareReads = (pool: object, readers: Readers): void => void readersOf.set(pool, readers)

const readerOf = ({ client }: Inside['session']): object => readersOf.get(client) ?? client

/**
 * A read that is built once and prepared once per connection, also inside a transaction. The read must neither write
 * nor lock, see Readers. `const byId = statement((db) => db.select()….where(eq(t.id,
 * sql.placeholder('id'))).prepare('things_by_id'))`
 */
export const statement = <P extends object>(build: (db: Db) => P) => builtOnce(build, readerOf)

/** Like `statement`, for a statement that writes or locks. */
export const writing = <P extends object>(build: (db: Db) => P) => builtOnce(build, ({ client }) => client)

function builtOnce<P extends object>(build: (db: Db) => P, clientOf: (session: Inside['session']) => object) {
  // one for each kind of database, because the two drivers have separate classes, and for measured sessions
  const [plain, measured] = [new Map<unknown, P>(), new Map<unknown, P>()]
  return (db: Db): P => {
    const { session } = insideOf(db)
    const built = isMeasured(session) ? measured : plain
    const known = built.get(session.constructor) ?? build(db)
    built.set(session.constructor, known)
    return Object.assign(Object.create(known) as P, { client: clientOf(session) })
  }
}

/** Members of Drizzle that its types hide. */
interface Inside {
  dialect: { sqlToQuery(statement: SQL): { sql: string; params: unknown[] } }
  session: {
    /** The connection, or the pool of connections. */
    client: object
    prepareQuery(query: { sql: string; params: unknown[] }, fields: undefined, name?: string): { execute(): unknown }
  }
}
const insideOf = (db: Db) => db as unknown as Inside

/** The SQL text of a statement, for callers that combine several statements. */
export const textOf = (db: Db, statement: SQL) => insideOf(db).dialect.sqlToQuery(statement)

/**
 * `kept`: prepared once per connection and then called by name, for text that does not depend on values; `once`:
 * planned for the current values.
 */
type Plan = 'kept' | 'once'

function prepared(db: Db, sql: string, params: unknown[], plan: Plan) {
  return insideOf(db).session.prepareQuery({ sql, params }, undefined, plan === 'kept' ? statementName(sql) : undefined)
}

/** Runs a statement that is text already. `T` describes the select list and is not checked. */
export async function runText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  return ((await prepared(db, sql, params, plan).execute()) as { rows: T[] }).rows // both drivers return rows
}

/** Rows of a statement that is prepared once per connection: its text must not depend on values. */
export function keptRows<T>(db: Db, statement: SQL): Promise<T[]> {
  const { sql, params } = textOf(db, statement)
  return runText(db, sql, params, 'kept')
}

/** Like `runText`, for a statement that neither writes nor locks: see Readers. */
export async function readText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  const query = Object.assign(prepared(db, sql, params, plan), { client: readerOf(insideOf(db).session) })
  return ((await query.execute()) as { rows: T[] }).rows
}

const names = new Map<string, string>()

export function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    // limits the number of names: filters have many combinations, and each connection keeps its prepared statements
    if (names.size >= 1000) names.clear()
    name = `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    names.set(text, name)
  }
  return name
}
