import type { Feedback, Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { alive, holdsAny } from '../../../access/users/read.ts'
import { users } from '../../../access/users/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { ownReviewPath } from '../reviews/notifyAgent.ts'

type Told = Pick<Context, 'db' | 'staff'>

/** The reviewer of a disputed review, also of a deleted one, which may be restored. */
export async function reviewerOf(db: Db, { reviewId }: Feedback): Promise<number | undefined> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select reviewer_id as id from qc_reviews where qc_review_id = ${reviewId}`,
  )
  return found?.id
}

/** Whether the reviewer is there, may open feedback, and may decide it. */
async function standing(db: Db, id: number | undefined) {
  const [found] = await rows<{ reads: boolean; decides: boolean }>(
    db,
    sql`select ${holdsAny(['qa:feedback:read'])} as reads, ${holdsAny(['qa:feedback:status'])} as decides
      from ${users} where ${users.id} = ${id ?? 0} and ${alive}`,
  )
  return { isThere: found !== undefined, reads: found?.reads ?? false, decides: found?.decides ?? false }
}

const pageOf = ({ id, kind }: Feedback) => `/qc-v2/${kind}-feedbacks/${id}`

/** Notifies the reviewer of what happened to a dispute of their review, with a link that they can open. */
async function tellReviewer(told: Told, feedback: Feedback, { title, body }: { title: string; body: string }) {
  const { db, staff } = told
  const reviewerId = await reviewerOf(db, feedback)
  if (reviewerId === undefined || reviewerId === staff.id) return
  const { reads } = await standing(db, reviewerId)
  const link = reads ? pageOf(feedback) : `/qc-v2/${feedback.kind}s/${feedback.conversationId}`
  await notify(db, { to: [reviewerId], reason: 'quality', title, body, link })
}

/** Notifies the quality managers, except the caller and whom the dispute names. */
async function tellManagers({ db, staff }: Told, feedback: Feedback, { title, body }: { title: string; body: string }) {
  const involved = [staff.id, feedback.agent?.id, feedback.proposes?.agent?.id, await reviewerOf(db, feedback)]
  const to = (await holdersOf(db, 'qa:manager:access')).filter((one) => !involved.includes(one))
  await notify(db, { to, reason: 'quality', title, body, link: pageOf(feedback) })
}

/** Notifies the reviewer of a dispute, and the quality managers if the reviewer has left or cannot decide it. */
export async function informOfDispute(told: Told, feedback: Feedback): Promise<void> {
  const { kind, externalId } = feedback
  const body = `${told.staff.name} asks for a change.`
  const { isThere, decides } = await standing(told.db, await reviewerOf(told.db, feedback))
  if (isThere) await tellReviewer(told, feedback, { title: `Your review of ${kind} ${externalId} is disputed`, body })
  if (!isThere || !decides)
    await tellManagers(told, feedback, { title: `A review of ${kind} ${externalId} is disputed`, body })
}

/** Notifies the reviewer that the agent has withdrawn a dispute. */
export const informOfWithdrawal = (told: Told, feedback: Feedback): Promise<void> =>
  tellReviewer(told, feedback, {
    title: `The dispute of your review of ${feedback.kind} ${feedback.externalId} is withdrawn`,
    body: `${told.staff.name} no longer asks for a change.`,
  })

/** Notifies the other side of feedback on a review: of what the agent wrote its reviewer, else the agent. */
export async function informOfFeedback(told: Told, feedback: Feedback, { id, agent, kind }: Review): Promise<void> {
  const { db, staff } = told
  const body = `${staff.name} wrote it.`
  if (agent.id === staff.id)
    return tellReviewer(told, feedback, { title: `Feedback on your review of ${kind} ${feedback.externalId}`, body })
  await notify(db, {
    to: [agent.id],
    reason: 'quality',
    title: `Feedback on the review of your ${kind} ${feedback.externalId}`,
    ...{ body, link: ownReviewPath(id) },
  })
}

const outcomeWords = {
  accepted: 'accepted',
  partly: 'accepted in part',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
} as const

/** Notifies the author of an answer, and the reviewer of a dispute that somebody else has decided. */
export async function informOfAnswer(told: Told, before: Feedback, after: Feedback): Promise<void> {
  const { db, staff } = told
  const { kind, externalId, createdBy, type } = before
  const word = after.outcome && outcomeWords[after.outcome]
  const body = word ? `${staff.name}: ${word}.` : `${staff.name} answered.`
  if (createdBy.id !== staff.id)
    await notify(db, {
      to: [createdBy.id],
      reason: 'quality',
      title: `Your ${type} about ${kind} ${externalId} is answered`,
      ...{ body, link: pageOfAsker(before) },
    })
  if (type === 'dispute' && word)
    await tellReviewer(told, after, { title: `The dispute of your review of ${kind} ${externalId} is ${word}`, body })
}

/** Notifies the agent of a dispute whose decision was taken back. */
export async function informOfReopening({ db, staff }: Told, feedback: Feedback): Promise<void> {
  const { kind, externalId, createdBy, type } = feedback
  if (createdBy.id === staff.id) return
  await notify(db, {
    to: [createdBy.id],
    reason: 'quality',
    title: `Your ${type} about ${kind} ${externalId} is open again`,
    ...{ body: `${staff.name} took the answer back.`, link: pageOfAsker(feedback) },
  })
}

/** Where the author of feedback reads its answer. Agents read it on the page of the review, also after it was moved. */
const pageOfAsker = (feedback: Feedback) =>
  feedback.origin === 'agent' && feedback.reviewId !== null ? ownReviewPath(feedback.reviewId) : pageOf(feedback)
