import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/errors.ts'

/** Throws a 409 beside the field `name` if another row of the table has the name. `live`: condition of rows that count. */
export async function freeName(
  db: Db,
  { table, key, noun, live = sql`true` }: { table: string; key: string; noun: string; live?: SQL },
  name: string,
  except = 0,
): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from ${sql.identifier(table)} where lower(name) = lower(${name}) and ${sql.identifier(key)} <> ${except} and ${live}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: `Another ${noun} has that name` } })
}

/** The fields of an input that were sent. */
export const given = <T extends object>(fields: T): T =>
  // entries of an object have the keys of its type
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** Counts are read up to this bound, so that a list of settings stays quick beside millions of scores. */
export const USES = 1000
