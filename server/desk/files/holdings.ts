import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/**
 * Files and folders of a departing person, including those in the trash. The successor can open the private ones;
 * grants stay.
 */
export const ownedFiles: Holding = {
  key: 'files',
  label: 'Files and folders',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select ((select count(*) from files where owner_id = ${userId}) +
        (select count(*) from folders where owner_id = ${userId} and deleted_at is null))::int as n`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    for (const table of ['files', 'folders', 'file_uploads']) await pass(db, table, from, to.id)
    await changed(db, 'files')
  },
}

const pass = (db: Db, table: string, from: number, to: number) =>
  db.execute(sql`update ${sql.identifier(table)} set owner_id = ${to} where owner_id = ${from}`)
