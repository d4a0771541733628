import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { eq, sql } from 'drizzle-orm'
import { departmentOn } from '../../../access/users/departmentOn.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { readConversation } from '../conversations/view.ts'
import { unpackDays } from '../statistics/days.ts'
import { type FrozenScore, sumUp } from './score.ts'
import { qcReviewEdits, qcReviews, qcScores } from './tables.ts'

interface Change {
  scores?: FrozenScore[] | undefined
  tagIds?: number[] | undefined
  comment?: string | undefined
  /** The review is about somebody else. */
  agentId?: number | undefined
  /** The agent has asked for it. */
  isAsked?: boolean
}

/** Changes a locked review and keeps the version before. */
export async function changeReview({ db, staff }: Context, before: Review, change: Change): Promise<void> {
  const { id, conversationId } = before
  const { scores, agentId, tagIds, comment, isAsked = false } = change
  const isMoved = agentId !== undefined
  const isWorse = !isAsked && scores !== undefined && becameWorse(before, sumUp(scores))
  await db.insert(qcReviewEdits).values({ reviewId: id, by: staff.id, before })
  await db
    .update(qcReviews)
    .set({
      ...(tagIds && { tagIds }),
      ...(comment !== undefined && { comment }),
      ...(scores && sumUp(scores)),
      ...((isMoved || isWorse) && { disputableFrom: sql`clock_timestamp()` }),
      ...(isMoved && {
        agentId,
        agentReason: '',
        departmentId: departmentOfDay(agentId, conversationId),
      }),
      ...nextVersion,
    })
    .where(eq(qcReviews.id, id))
  if (scores) {
    await db.delete(qcScores).where(eq(qcScores.reviewId, id))
    await db.insert(qcScores).values(scores.map((score) => ({ ...score, reviewId: id })))
  }
  if (isMoved) await moveWords(db, before, agentId)
  await unpackDays(db, [before.submittedAt])
  // an edit changes neither the review time nor the reviewer of the conversation
  await db.execute(sql`update qc_conversations set score = (select avg(score) from qc_reviews
    where conversation_id = ${conversationId} and deleted_at is null), version = version + 1, updated_at = now()
    where qc_conversation_id = ${conversationId}`)
}

/** A lower score, a first score, or a critical type at 0. */
const becameWorse = (before: Review, { score, isFailed }: ReturnType<typeof sumUp>) =>
  (isFailed && !before.isFailed) || (score !== null && (before.score === null || score < before.score))

/** Comments on a review, and feedback on it by others, are about its agent: dossiers show them. */
async function moveWords(db: Db, { id, agent }: Review, agentId: number): Promise<void> {
  const moved = await rows(
    db,
    sql`update qc_comments set about_id = ${agentId}, version = version + 1
      where subject = 'review' and subject_id = ${id} and about_id = ${agent.id} returning 1`,
  )
  await db.execute(sql`update qc_feedbacks set agent_id = ${agentId}, version = version + 1
    where review_id = ${id} and agent_id = ${agent.id} and created_by <> ${agent.id}`)
  if (moved.length) await changed(db, 'dossiers')
}

const departmentOfDay = (agentId: number, conversationId: number) =>
  departmentOn(
    sql`${agentId}::int`,
    sql`(select last_at from qc_conversations where qc_conversation_id = ${conversationId})`,
  )

/** Throws unless the review may be about this person: an agent who wrote in the conversation, and has no review of it. */
export async function checkMove({ db }: Pick<Context, 'db'>, review: Review, agentId: number, field: string) {
  const { agents } = await readConversation(db, review.conversationId)
  const to = agents.find(({ id }) => id === agentId)
  if (!to || agentId === review.agent.id)
    throw refused('The review cannot be about this person', {
      [field]: 'Name another agent who wrote in the conversation',
    })
  if (agentId === review.reviewer.id)
    throw refused('Nobody reviews themselves', { [field]: `${to.name} wrote the review` })
  const taken = await rows(
    db,
    sql`select from qc_reviews where conversation_id = ${review.conversationId} and agent_id = ${agentId} and deleted_at is null
      and since is not distinct from ${review.since}::timestamptz`,
  )
  if (taken.length) throw conflict(`${to.name} is already reviewed for this conversation`, { current: review })
}
