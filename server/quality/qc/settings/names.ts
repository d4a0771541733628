import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'

/** Throws a 409 beside the field `name` if another row that meets the condition `live` has the name. */
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
  if (taken) throw conflict(`${name} already exists`, { fields: { name: `Another ${noun} has that name` } })
}

/** Counting of uses stops here, so that lists of settings stay fast with millions of scores. */
export const USES = 1000
