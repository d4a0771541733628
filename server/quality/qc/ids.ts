import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Keys of the rows that match `where`, in ascending order, at most 1,000. */
export async function idsOf(db: Db, table: string, key: string, where: SQL): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select ${sql.identifier(key)} as id from ${sql.identifier(table)} where ${where} order by 1 limit 1000`,
  )
  return found.map(({ id }) => id)
}

/** The conversation of a row, which whoever writes about a conversation locks first, as an erasure does. */
export async function placeOf(db: Db, table: string, key: string, id: number): Promise<number | undefined> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select conversation_id as id from ${sql.identifier(table)} where ${sql.identifier(key)} = ${id}`,
  )
  return found?.id
}
