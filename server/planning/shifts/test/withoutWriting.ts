import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'

/** Tables of what leaves cost. */
export const CHARGES = ['leaves', 'leave_ledger']

/** Whoever writes into one of these tables fails, until the work has ended. */
export async function withoutWriting<T>(db: Db, tables: readonly string[], work: () => Promise<T>): Promise<T> {
  await db.execute(sql`create or replace function refuse_writes() returns trigger language plpgsql as
    $$ begin raise exception 'a preview writes into %', tg_table_name; end $$`)
  for (const table of tables)
    await db.execute(sql`create trigger refuse_writes before insert or update or delete on ${sql.identifier(table)}
      for each row execute function refuse_writes()`)
  try {
    return await work()
  } finally {
    for (const table of tables) await db.execute(sql`drop trigger refuse_writes on ${sql.identifier(table)}`)
  }
}
