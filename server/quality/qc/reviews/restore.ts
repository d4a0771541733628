import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { checkFree, holdConversation } from '../conversations/queue.ts'
import { reopenDispute } from '../feedback/closeDispute.ts'
import { disputableOf } from '../feedback/disputable.ts'
import { placeOf } from '../ids.ts'
import { checkReach } from '../reach.ts'
import { mayChangeReview } from '../rights.ts'
import { unpackDays } from '../statistics/days.ts'
import { notifyAgent, notifyReviewer } from './notifyAgent.ts'
import { settle } from './submit.ts'
import { qcReviews } from './tables.ts'
import { readDeletedReviews, readReviews } from './view.ts'

/**
 * Restores a deleted review as it was. Its scores, edits, comments and feedback still refer to it. It is refused while
 * somebody else reviews the conversation, and after somebody has reviewed the agent again.
 */
export async function restore(context: Context, kind: Kind, id: number, version?: number): Promise<Review> {
  const { db, staff, audit } = context
  const place = await placeOf(db, 'qc_reviews', 'qc_review_id', id)
  if (place === undefined) throw notFound('review', id)
  await holdConversation(db, place, kind)
  await rows(db, sql`select from qc_reviews where qc_review_id = ${id} for update`)
  await checkReach(context, place)
  const [before] = await readDeletedReviews(db, [id])
  if (!before) throw conflict('The review is not deleted', { current: (await readReviews(db, [id]))[0] })
  audit.before(before)
  checkVersion(before, version, 'The review')
  mayChangeReview(staff, before)
  await refuseSecond(context, before)
  await checkFree(db, place, staff.id)
  await db
    .update(qcReviews)
    .set({
      deletedAt: null,
      // nobody could dispute the review while it was deleted
      ...((await disputableOf(db, before)).dispute === null && { disputableFrom: sql`clock_timestamp()` }),
      ...nextVersion,
    })
    .where(eq(qcReviews.id, id))
  await unpackDays(db, [before.submittedAt])
  await settle(db, place)
  const after = (await readReviews(db, [id]))[0]! // it was locked above
  await reopenDispute(context, after)
  await notifyAgent(context, 'restored', before, after)
  await notifyReviewer(context, 'restored', after)
  audit.after(after)
  await changed(db, 'qc', place)
  return after
}

/** Throws a 409 if the agent was reviewed again in the same conversation. */
async function refuseSecond({ db }: Context, { conversationId, agent, since }: Review): Promise<void> {
  const [second] = await rows<{ id: number }>(
    db,
    sql`select qc_review_id as id from qc_reviews
      where conversation_id = ${conversationId} and agent_id = ${agent.id} and deleted_at is null
        and since is not distinct from ${since}::timestamptz`,
  )
  const [current] = second ? await readReviews(db, [second.id]) : []
  if (current)
    throw conflict(`${current.reviewer.name} has reviewed ${agent.name} again meanwhile. Delete that review first.`, {
      current,
    })
}
