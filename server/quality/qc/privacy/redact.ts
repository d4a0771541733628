import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { indexWords } from '../conversations/words.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { type Place, placesNaming, placesOf } from './places.ts'

const MOST = 500

/** Number of rows with words, by place. */
export type Emptied = { place: string; rows: number }[]

/**
 * Removes the customer's name and address, the subject, and the texts of everybody in and about these conversations,
 * because agents and reviewers repeat what customers say. Empty messages stay, because evidence refers to them; scores
 * stay. Locks the conversations first, as whoever writes about them does.
 */
export async function redact(db: Db, ids: readonly number[], email?: string): Promise<Emptied> {
  const done: Emptied = []
  for (const { name: place, table, set, where } of placesIn(ids, email))
    done.push({
      place,
      rows: (await rows(db, sql`update ${sql.identifier(table)} set ${set} where ${where} returning 1`)).length,
    })
  // a review without words may be open in a form that quotes them
  if (ids.length)
    await db.execute(
      sql`update qc_reviews set version = version + 1 where conversation_id = any(${sql.param([...ids])}::int[])`,
    )
  await indexWords(db, ids)
  return done
}

/** What `redact` would empty. */
export async function countWords(db: Db, ids: readonly number[], email: string): Promise<Emptied> {
  const found: Emptied = []
  for (const { name: place, table, where } of placesIn(ids, email)) {
    const [counted] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from ${sql.identifier(table)} where ${where}`,
    )
    found.push({ place, rows: counted?.n ?? 0 })
  }
  return found
}

const placesIn = (ids: readonly number[], email?: string): Place[] => [
  ...(ids.length ? placesOf(ids) : []),
  ...(email === undefined ? [] : placesNaming(email)),
]

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
