import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Number of kept answers of receivers. */
export async function countReceived(db: Db): Promise<number> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from webhook_attempts where body is not null`,
  )
  return found?.n ?? 0
}

/**
 * Forgets the words of all receivers, because no one can tell which of the answers quote a person who is being erased: a
 * receiver that read the object may answer with any of its words. Status and time of each attempt stay. Returns the number.
 */
export async function forgetReceived(tx: Db): Promise<number> {
  const n = await countReceived(tx)
  await tx.execute(sql`update webhook_attempts set body = null where body is not null`)
  return n
}
