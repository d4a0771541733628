import { sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/**
 * Open audits by a departing person. Audits of the heir, and of periods that the heir already audits, stay unchanged.
 */
export const openAudits: Holding = {
  key: 'scrum-audits',
  label: 'Scrum audits that are not acknowledged',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from scrum_audits where auditor_id = ${userId} and status <> 'acknowledged' and deleted_at is null`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(sql`update scrum_audits a set auditor_id = ${to.id}, version = version + 1 where a.auditor_id = ${from}
      and a.status <> 'acknowledged' and a.deleted_at is null and a.user_id <> ${to.id}
      and not exists (select from scrum_audits b where b.auditor_id = ${to.id} and b.user_id = a.user_id
        and b.period_start = a.period_start and b.period_end = a.period_end and b.deleted_at is null)`)
    await changed(db, 'scrums')
  },
}
