import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/** Webhooks that a person owns. Whoever gets them decides by their own rights what is sent. */
export const ownedWebhooks: Holding = {
  key: 'webhooks',
  label: 'Webhooks',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from webhooks where owner_id = ${userId} and deleted_at is null`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(sql`update webhooks set owner_id = ${to.id}, version = version + 1, updated_at = now()
      where owner_id = ${from} and deleted_at is null`)
    await changed(db, 'webhooks')
  },
}
