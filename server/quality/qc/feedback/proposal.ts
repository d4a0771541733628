import type { proposal } from '@innkeeper/contract/quality/qc/conversations'
import type { Feedback, Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { Refusal, refused } from '../../../kit/http/errors.ts'
import { changeReview, checkMove } from '../reviews/change.ts'
import { notifyAgent, ownReviewPath } from '../reviews/notifyAgent.ts'
import { freeze, frozenRubric } from '../reviews/score.ts'
import { readReviews } from '../reviews/view.ts'
import { mayChangeReview } from '../rights.ts'
import type { Proposed } from './tables.ts'

type Given = z.output<typeof proposal>

/** What a dispute proposes, with the names of now. Throws a 422 for a person or a grade that accepting could not set. */
export async function readProposal(
  context: Context,
  review: Review,
  given: Given | undefined,
): Promise<Proposed | null> {
  const { agentId, scores = [] } = given ?? {}
  if (agentId === undefined && !scores.length) return null
  if (agentId !== undefined) await checkMove(context, review, agentId, 'proposes.agentId')
  const rubric = await frozenRubric(context.db, review)
  const named = scores.map(({ scoreTypeId, gradeId }) => {
    const type = rubric.find(({ id }) => id === scoreTypeId)
    const grade = type?.grades.find(({ id }) => id === gradeId)
    if (!type || (gradeId === null ? !type.mayBeNA : !grade))
      throw refused('A proposed grade is not offered', {
        'proposes.scores': type
          ? `${type.name} does not offer grade ${gradeId ?? 'N/A'}`
          : `Score type ${scoreTypeId} is not in the review`,
      })
    return { typeId: type.id, typeName: type.name, gradeId, gradeName: grade?.name ?? null }
  })
  return { agentId: agentId ?? null, scores: named }
}

/** Makes the changes that an accepted dispute asks for. Only the reviewer and quality managers may accept these. */
export async function applyProposal(context: Context, dispute: Feedback): Promise<void> {
  const { proposes, reviewId } = dispute
  if (!proposes || reviewId === null) return
  const { db, staff } = context
  const before = await holdReview(db, reviewId)
  mayChangeReview(staff, before)
  if (proposes.agent) await checkMove(context, before, proposes.agent.id, 'outcome')
  const grades = new Map(proposes.scores.map(({ typeId, gradeId }) => [typeId, gradeId]))
  const given = before.scores.map(({ typeId, gradeId, comment, evidence }) => ({
    ...{ scoreTypeId: typeId, evidence },
    gradeId: grades.has(typeId) ? (grades.get(typeId) ?? null) : gradeId,
    // a grade that needs a comment has the reason of the dispute, when the reviewer wrote none
    comment: comment || (grades.has(typeId) ? 'Accepted dispute' : ''),
  }))
  const scores = grades.size ? offered(await frozenRubric(db, before), given, before.agent.id) : undefined
  await changeReview(context, before, { scores, agentId: proposes.agent?.id, isAsked: true })
  const [after] = await readReviews(db, [reviewId])
  if (!proposes.agent || !after) return notifyAgent(context, 'changed', before, after)
  await notify(db, {
    to: [after.agent.id],
    reason: 'quality',
    title: `A review of ${before.kind} ${dispute.externalId} is about you now`,
    body: `${before.agent.name} was reviewed by mistake. ${staff.name} moved the review.`,
    link: ownReviewPath(reviewId),
  })
}

/** The proposed scores. What the settings no longer offer is refused beside the outcome: nobody enters scores here. */
function offered(...[rubric, given, agentId]: Parameters<typeof freeze>) {
  try {
    return freeze(rubric, given, agentId)
  } catch (error) {
    if (error instanceof Refusal && error.status === 422)
      throw refused('A proposed grade is no longer offered', { outcome: `${error.message}: accept in part` })
    throw error
  }
}

async function holdReview(db: Db, id: number): Promise<Review> {
  await rows(db, sql`select from qc_reviews where qc_review_id = ${id} for update`)
  const [review] = await readReviews(db, [id])
  if (!review) throw refused('The review was deleted: nothing can be changed', { outcome: 'The review was deleted' })
  return review
}
