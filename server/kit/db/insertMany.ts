import { type Column, getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db.ts'
import { inTurns } from './inTurns.ts'

/** Rows per statement: about 0.1 s of the embedded database. */
const AT_ONCE = 2000

/**
 * Inserts many rows in parts, with one JSON parameter per part. Drizzle's builder makes a parameter of each value, which
 * takes the embedded database 1.6 times as long, while every other call waits for its only connection. All rows must
 * have the same properties; the other columns get their defaults.
 */
export async function insertMany<T extends PgTable>(
  tx: Db,
  table: T,
  all: readonly T['$inferInsert'][],
): Promise<void> {
  const columns = getTableColumns(table)
  const names = Object.keys(all[0] ?? {}).map((property) => [property, nameOf(property, columns[property])] as const)
  const list = sql.join(
    names.map(([, name]) => sql.identifier(name)),
    sql`, `,
  )
  for await (const some of inTurns(all, AT_ONCE)) {
    const json = JSON.stringify(
      some.map((row) => Object.fromEntries(names.map(([property, name]) => [name, row[property as keyof typeof row]]))),
    )
    await tx.execute(
      sql`insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, ${json}::json)`,
    )
  }
}

/** The name of a column in the database, by the rule of the connections (`snake_case`). */
const nameOf = (property: string, column: Column | undefined): string =>
  column && !column.keyAsName ? column.name : property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
