import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { ownReviewPath } from './notifyAgent.ts'

/** Notifies agents of their reviews, once for each review. */
export async function sendStats(db: Db, reviewIds: readonly number[]): Promise<void> {
  const sent = await rows<{ id: number; agentId: number; kind: string; score: number | null; subject: string }>(
    db,
    sql`update qc_reviews r set stats_sent_at = now() from qc_conversations c
      where r.qc_review_id = any(${sql.param([...reviewIds])}::int[]) and r.stats_sent_at is null and r.deleted_at is null
        and c.qc_conversation_id = r.conversation_id
      returning r.qc_review_id as id, r.agent_id as "agentId", r.kind, r.score, c.external_id as subject`,
  )
  for (const { id, agentId, kind, score, subject } of sent)
    await notify(db, {
      to: [agentId],
      reason: 'quality',
      title: `Your ${kind} ${subject} was reviewed`,
      body: score === null ? 'Nothing in it was scored.' : `Score ${Math.round(score)} of 100.`,
      link: ownReviewPath(id),
    })
}
