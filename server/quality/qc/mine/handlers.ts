import type { qcMine as contract } from '@innkeeper/contract/quality/qc/mine'
import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { messagesOf, readMessages } from '../conversations/readMessages.ts'
import { readConversation, readConversations } from '../conversations/view.ts'
import { withdrawDispute } from '../feedback/decide.ts'
import { disputableOf } from '../feedback/disputable.ts'
import { readFeedbacks } from '../feedback/view.ts'
import { giveFeedback } from '../feedback/write.ts'
import { idsOf } from '../ids.ts'
import { noteLook } from '../privacy/looks.ts'
import { editsOf } from '../reviews/edits.ts'
import { frozenRubric } from '../reviews/score.ts'
import { qcReviews as r } from '../reviews/tables.ts'
import { readDeletedReviews, readReviews } from '../reviews/view.ts'
import { inZone } from '../statistics/asked.ts'
import { overall } from '../statistics/figures.ts'

/** Calls with which agents read the reviews of their own work. Each call returns only the caller’s reviews. */
export const mineHandlers: Handlers<typeof contract> = {
  async ownReviews(input, { db, staff }) {
    const where = [sql`${r.agentId} = ${staff.id}`, sql`${r.deletedAt} is null`]
    const order = { column: r.submittedAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${r}`, where, key: r.id, order })
    return { items: await withSubjects(db, await readReviews(db, ids)), ...page }
  },

  async ownReview({ id }, { db, staff, now }) {
    const review = await readOwn(db, id, staff.id)
    const [shown] = await withSubjects(db, [review])
    const evidence = [...new Set(review.scores.flatMap((score) => score.evidence))]
    const feedbacks = await readFeedbacks(
      { db, staff },
      // a review that was moved keeps the dispute of its former agent, which is none of this agent's business
      await idsOf(
        db,
        'qc_feedbacks',
        'qc_feedback_id',
        sql`review_id = ${id} and ${staff.id} in (agent_id, created_by)`,
      ),
    )
    const { until, dispute } = await disputableOf(db, review)
    const isOpen = review.deletedAt === null && until > now.getTime() && dispute === null
    return {
      ...shown!, // one id gives one review
      evidence: await readMessages(db, evidence),
      feedbacks,
      changes: await editsOf(db, review),
      rubric: await frozenRubric(db, review),
      writers: (await readConversation(db, review.conversationId)).agents.filter((agent) => agent.id !== staff.id),
      disputableUntil: isOpen ? new Date(until).toISOString() : null,
    }
  },

  async ownConversation({ id }, context) {
    const { conversationId, kind } = await readOwn(context.db, id, context.staff.id)
    await noteLook(context, await readConversation(context.db, conversationId, kind))
    return { items: await messagesOf(context.db, conversationId) }
  },

  async ownFigures(input, { db, staff }) {
    const { reviewers: _, ...figures } = await overall(db, await inZone(db, { ...input, agent: [staff.id] }))
    return figures
  },

  async answerReview({ id, ...fields }, context) {
    const review = await readOwn(context.db, id, context.staff.id)
    if (review.deletedAt) throw refused('The review is deleted and no longer counts')
    return giveFeedback(context, review.kind, review.conversationId, { ...fields, review: id, origin: 'agent' })
  },

  async ownFeedbacks({ id }, { db, staff }) {
    const ids = await idsOf(db, 'qc_feedbacks', 'qc_feedback_id', sql`review_id = ${id} and created_by = ${staff.id}`)
    if (!ids.length) throw notFound('review', id)
    return { items: await readFeedbacks({ db, staff }, ids) }
  },

  withdrawDispute: ({ id }, context) => withdrawDispute(context, id),
}

async function readOwn(db: Db, id: number, agentId: number): Promise<Review> {
  const [own] = await rows(db, sql`select from qc_reviews where qc_review_id = ${id} and agent_id = ${agentId}`)
  const [review] = own ? [...(await readReviews(db, [id])), ...(await readDeletedReviews(db, [id]))] : []
  if (!review) throw notFound('review', id)
  return review
}

async function withSubjects(db: Db, reviews: Review[]) {
  const found = await readConversations(db, [...new Set(reviews.map(({ conversationId }) => conversationId))])
  const byId = new Map(found.map((one) => [one.id, one]))
  return reviews.map((review) => {
    const { externalId = '', subject = '' } = byId.get(review.conversationId) ?? {}
    return { ...review, externalId, subject }
  })
}
