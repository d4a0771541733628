import { type Column, fillPlaceholders, type SQL, sql } from 'drizzle-orm'
import type { Db } from './db.ts'
import { readText, statement, statementName, textOf } from './driver/prepared.ts'

/** Builds the condition that a column matches the requested keys. */
export type IsWanted = (column: Column | SQL) => SQL

/** The common part of Drizzle's query builders. */
interface Query<R> {
  toSQL(): { sql: string }
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<R[]> }
}
/** `values`: values of further placeholders. */
type Read<R> = (db: Db, ids: readonly number[], values?: Record<string, unknown>) => Promise<R[]>

/** For one key, `=`: PostgreSQL would plan `= any` again for each call, because its generic plan looks expensive. */
const isOne: IsWanted = (column) => sql`${column} = ${sql.placeholder('id')}`
const isAny: IsWanted = (column) => sql`${column} = any(${sql.placeholder('ids')}::bigint[])`

/**
 * Reads rows by keys with a query that is built once and planned once per connection, because building it for each call
 * takes longer than fetching. The query must not depend on values of a call. The rows have no order: see inOrder.
 * `const plansByIds = byIds((db, isWanted) => db.select().from(plans).where(isWanted(plans.id)))`
 */
export function byIds<R>(build: (db: Db, isWanted: IsWanted) => Query<R>): Read<R> {
  const prepared = (isWanted: IsWanted) =>
    statement((db) => {
      const query = build(db, isWanted)
      return query.prepare(statementName(query.toSQL().sql))
    })
  const [one, several] = [prepared(isOne), prepared(isAny)]
  return async (db, ids, values) => {
    if (!ids.length) return []
    return ids.length === 1 ? one(db).execute({ ...values, id: ids[0] }) : several(db).execute({ ...values, ids })
  }
}

/** Like `byIds`, for a statement that is clearer as SQL. `R` describes the select list and is not checked. */
export function rowsByIds<R>(build: (isWanted: IsWanted) => SQL): Read<R> {
  const written = (isWanted: IsWanted) => {
    let text: ReturnType<typeof textOf> | undefined // both drivers use the same dialect
    return (db: Db) => {
      text ??= textOf(db, build(isWanted))
      return text
    }
  }
  const [one, several] = [written(isOne), written(isAny)]
  return async (db, ids, values) => {
    if (!ids.length) return []
    const { sql: text, params } = (ids.length === 1 ? one : several)(db)
    return readText<R>(db, text, fillPlaceholders(params, { ...values, ids, id: ids[0] }), 'kept')
  }
}

/** Condition for keys in a query whose text varies. `= any` instead of `in`, which needs one parameter per key. */
export const isAmong = (column: Column | SQL, ids: readonly number[]): SQL =>
  sql`${column} = any(${sql.param([...ids])}::bigint[])`
