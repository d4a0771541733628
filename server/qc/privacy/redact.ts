import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { indexWords } from '../conversations/words.ts'
import { readQueueSettings } from '../settings/queue.ts'

/** Replaces the removed texts. */
export const REDACTED = '[removed]'
const MOST = 500

/**
 * Removes the customer's name and address, the subject, and the texts of everybody in these conversations, because
 * agents repeat what customers say. Empty messages stay, because evidence refers to them; scores stay.
 */
export async function redact(db: Db, ids: readonly number[]): Promise<number> {
  if (!ids.length) return 0
  const wanted = sql`any(${sql.param([...ids])}::int[])`
  await db.execute(sql`update qc_conversations set subject = ${REDACTED}, customer_name = '', customer_email = '', redacted_at = now(),
    version = version + 1, updated_at = now() where qc_conversation_id = ${wanted}`)
  const messages = await rows(
    db,
    sql`update qc_messages set body = ${REDACTED}, files = '[]', author = case when role = 'customer' then 'Customer' else author end
      where conversation_id = ${wanted} and body <> ${REDACTED} returning 1`,
  )
  await indexWords(db, ids)
  return messages.length
}

/** The worker’s round: redacts conversations that are older than the settings allow. */
export async function redactOld(app: App): Promise<void> {
  for (const kind of ['chat', 'ticket'] as const)
    for (;;) {
      const done = await app.db.transaction(async (tx) => {
        const { retentionDays } = await readQueueSettings(tx, kind)
        if (retentionDays === null) return 0
        const old = sql`kind = ${kind} and redacted_at is null and last_at < now() - make_interval(days => ${retentionDays})`
        const ids = await lockSome(tx, old)
        await redact(tx, ids)
        if (ids.length) await changed(tx, 'qc')
        return ids.length
      })
      if (done < MOST) break
    }
}

async function lockSome(db: Db, where: SQL): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select qc_conversation_id as id from qc_conversations where ${where} order by last_at limit ${MOST} for update skip locked`,
  )
  return found.map(({ id }) => id)
}
