import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { readQueueSettings } from '../settings/queue.ts'

const DAY = 86_400_000

export interface Disputable {
  /** End of the time in which the agent may dispute the review. */
  until: number
  /** The days of that time. */
  days: number
  /** The dispute that stands in the way of another one. */
  dispute: number | null
}

/**
 * Until when the agent of a review may dispute it, and by which dispute they have done so. The time begins with the
 * submission, and again when the review becomes worse, comes to another agent or is restored (decision 237).
 */
export async function disputableOf(db: Db, { id, kind }: Pick<Review, 'id' | 'kind'>): Promise<Disputable> {
  const [found] = await rows<{ since: string | Date; dispute: number | null }>(
    db,
    sql`select coalesce(r.disputable_from, r.submitted_at) as since, (select max(f.qc_feedback_id) from qc_feedbacks f
        where f.review_id = r.qc_review_id and f.type = 'dispute' and (f.status in ('open', 'in-progress')
          or f.created_by = r.agent_id and f.outcome is distinct from 'withdrawn'
            and f.created_at >= coalesce(r.disputable_from, r.submitted_at))) as dispute
      from qc_reviews r where r.qc_review_id = ${id}`,
  )
  const { disputeDays: days } = await readQueueSettings(db, kind)
  const since = found ? Date.parse(isoOf(found.since)) : 0
  return { until: since + days * DAY, days, dispute: found?.dispute ?? null }
}
