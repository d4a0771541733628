import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Mail domains of a server, including deleted ones whose mail the server still keeps. */
export async function storedMail(db: Db, serverId: number): Promise<string[]> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from mailboxes
      where server_id = ${serverId} and (deleted_at is null or purge_after > now())`,
  )
  return found?.n ? [found.n === 1 ? '1 mail domain' : `${found.n} mail domains`] : []
}
