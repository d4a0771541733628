import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { ownReviewPath } from '../reviews/notifyAgent.ts'
import { readQueueSettings } from '../settings/queue.ts'

/** Answer of a dispute whose review was deleted. */
const GONE = 'The review was deleted.'

/** Closes the open dispute of a review that is being deleted, and notifies who asked for a change. */
export async function closeDispute({ db, staff }: Context, reviewId: number): Promise<void> {
  const closed = await rows<{ by: number; kind: string; externalId: string }>(
    db,
    sql`update qc_feedbacks f set status = 'closed', answer = concat_ws(E'\n', nullif(f.answer, ''), ${GONE}::text), answered_at = now(),
        answered_by = ${staff.id}, version = f.version + 1, updated_at = now()
      from qc_conversations c where c.qc_conversation_id = f.conversation_id and f.review_id = ${reviewId}
        and f.type = 'dispute' and f.status in ('open', 'in-progress')
      returning f.created_by as by, f.kind, c.external_id as "externalId"`,
  )
  const told = closed.filter(({ by }) => by !== staff.id)
  for (const { by, kind, externalId } of told)
    await notify(db, {
      to: [by],
      reason: 'quality',
      title: `Your dispute about ${kind} ${externalId} is closed`,
      body: `${staff.name} deleted the review, so it no longer counts.`,
      link: ownReviewPath(reviewId),
    })
}

/** Opens a dispute again that only the deletion of its review had closed. */
export async function reopenDispute({ db, now }: Context, { id, kind }: Review): Promise<void> {
  const { answerDays } = await readQueueSettings(db, kind)
  const dueAt = new Date(now.getTime() + answerDays * 86_400_000).toISOString()
  // the words may have been erased meanwhile; nothing else closes a dispute without an outcome
  await db.execute(sql`update qc_feedbacks set status = 'open', answered_at = null, answered_by = null, version = version + 1,
      updated_at = now(), due_at = ${dueAt}::timestamptz,
      answer = case when answer like ${`%${GONE}`} then rtrim(left(answer, -length(${GONE})), E'\n') else answer end
    where qc_feedback_id = (select max(qc_feedback_id) from qc_feedbacks
      where review_id = ${id} and type = 'dispute' and status = 'closed' and outcome is null)`)
}
