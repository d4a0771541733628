import type {
  feedbackAnswer,
  feedbackFields,
  feedbackQuery,
  proposal,
} from '@innkeeper/contract/quality/qc/conversations'
import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { readConversation } from '../conversations/view.ts'
import { checkReach, ofReach } from '../reach.ts'
import { ownReviewPath } from '../reviews/notifyAgent.ts'
import { readReviews } from '../reviews/view.ts'
import { checkMayRead, mayChangeFeedback, mayDecide, type Reading } from '../rights.ts'
import { searchedCases } from '../searchedCases.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { applyProposal, readProposal } from './proposal.ts'
import { qcFeedbacks } from './tables.ts'
import { readFeedbacks } from './view.ts'

type Asked = z.output<z.ZodObject<typeof feedbackQuery>>
export type Fields = z.output<z.ZodObject<typeof feedbackFields>> & { proposes?: z.output<typeof proposal> | undefined }
export type Answer = z.output<z.ZodObject<typeof feedbackAnswer>>

const f = qcFeedbacks
const cases = { table: f, id: f.id, text: f.content, conversationId: f.conversationId }
const order = { column: f.createdAt, type: 'instant', direction: 'DESC' } as const
const DAY = 86_400_000

export async function listFeedbacks(
  { db, staff }: Reading,
  asked: Pick<Asked, 'page' | 'itemsPerPage'> & Partial<Asked>,
  kind?: Kind,
) {
  const where: SQL[] = await ofReach({ db, staff }, sql`${f.conversationId}`)
  if (kind) where.push(sql`${f.kind} = ${kind}`)
  if (asked.status) where.push(sql`${f.status} = any(${sql.param(asked.status)}::text[])`)
  if (asked.type) where.push(sql`${f.type} = any(${sql.param(asked.type)}::text[])`)
  if (asked.overdue) where.push(sql`${f.status} in ('open', 'in-progress') and ${f.dueAt} < now()`)
  if (asked.agent) where.push(sql`${f.agentId} = any(${sql.param(asked.agent)}::int[])`)
  const { condition, ...bound } = asked.search ? await searchedCases(db, staff, cases, asked.search) : {}
  if (condition) where.push(condition)
  const { ids, ...page } = await pageKeys(db, asked, { from: sql`${f}`, where, key: f.id, order, ...bound })
  return { items: await readFeedbacks({ db, staff }, ids), ...page }
}

export async function readFeedback(reading: Reading, id: number, kind?: Kind): Promise<Feedback> {
  const [found] = await readFeedbacks(reading, [id])
  if (!found || (kind && found.kind !== kind)) throw notFound('feedback', id)
  return found
}

export async function giveFeedback(context: Context, kind: Kind, conversationId: number | undefined, fields: Fields) {
  const { db, staff, now, audit } = context
  const { feedback: content, review: reviewId, type = 'feedback', origin, proposes: wish } = fields
  const [review] = reviewId ? await readReviews(db, [reviewId]) : []
  if (reviewId && review?.kind !== kind)
    throw refused(`Review ${reviewId} does not exist`, { review: `Review ${reviewId} does not exist` })
  const id = conversationId ?? review?.conversationId
  if (id === undefined) throw refused(`No ${kind} is named`, { [`${kind}Id`]: 'Required without a review' })
  const conversation = await readConversation(db, id, kind)
  checkMayRead(staff, kind, [review?.agent.id, ...conversation.agents.map((agent) => agent.id)])
  if (review?.agent.id !== staff.id) await checkReach(context, id)
  if (review && review.conversationId !== id)
    throw refused('The review is of another conversation', { review: 'Of another conversation' })
  let dueAt: string | null = null
  if (type === 'dispute') {
    if (review?.agent.id !== staff.id)
      throw refused('Only the reviewed agent disputes a review', { review: 'Not a review of yours' })
    const { disputeDays, answerDays } = await readQueueSettings(db, kind)
    dueAt = new Date(now.getTime() + answerDays * DAY).toISOString()
    if (now.getTime() > Date.parse(review.submittedAt) + disputeDays * DAY)
      throw refused(`A review can be disputed for ${disputeDays} days`, { review: `Older than ${disputeDays} days` })
    // of two disputes at once, the second finds the first
    await rows(db, sql`select from qc_reviews where qc_review_id = ${review.id} for update`)
    const [open] = await rows<{ id: number }>(
      db,
      sql`select qc_feedback_id as id from qc_feedbacks where review_id = ${review.id} and type = 'dispute' limit 1`,
    )
    if (open) throw conflict('The review is already disputed', { current: await readFeedback(context, open.id) })
  }
  if (wish && type !== 'dispute')
    throw refused('Only a dispute proposes changes', { proposes: 'Only a dispute proposes changes' })
  const proposes = review ? await readProposal(context, review, wish) : null
  const agentId = review?.agent.id ?? conversation.agent?.id ?? null
  const [made] = await db
    .insert(f)
    .values({
      ...{ kind, conversationId: id, reviewId: reviewId ?? null, agentId, type, content, dueAt, createdBy: staff.id },
      proposes,
      origin: origin ?? (agentId === staff.id ? 'agent' : 'reviewer'),
    })
    .returning({ id: f.id })
  const feedback = await readFeedback(context, made!.id) // one inserted row returns one row
  if (type === 'dispute') await informReviewer(context, feedback, review?.reviewer.id)
  audit.after(feedback)
  await changed(db, 'qc', id)
  return feedback
}

export async function updateFeedback(
  context: Context,
  kind: Kind,
  id: number,
  { feedback, version }: { feedback?: string | undefined; version?: number | undefined },
) {
  const { db, staff, audit } = context
  const before = await hold(context, id, kind, version)
  mayChangeFeedback(staff, before)
  if (feedback)
    await db
      .update(f)
      .set({ content: feedback, ...nextVersion })
      .where(eq(f.id, id))
  const after = await readFeedback(context, id)
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
  return after
}

/** Notifies the reviewer of a dispute, or the quality managers if the reviewer has left. */
async function informReviewer({ db, staff }: Context, { id, kind, externalId }: Feedback, reviewerId = 0) {
  const [there] = await rows(db, sql`select from users where user_id = ${reviewerId} and deleted_at is null`)
  const to = (there ? [reviewerId] : await holdersOf(db, 'qa:manager:access')).filter((one) => one !== staff.id)
  if (to.length)
    await notify(db, {
      to,
      reason: 'quality',
      title: there
        ? `Your review of ${kind} ${externalId} is disputed`
        : `A review of ${kind} ${externalId} is disputed`,
      body: `${staff.name} asks for a change.`,
      link: `/qc-v2/${kind}-feedbacks/${id}`,
    })
}

/** The reviewer of a disputed review, also of a deleted one, which may be restored. */
async function reviewerOf(db: Db, { reviewId }: Feedback): Promise<number | undefined> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select reviewer_id as id from qc_reviews where qc_review_id = ${reviewId}`,
  )
  return found?.id
}

const outcomeWords = { accepted: 'accepted', partly: 'accepted in part', rejected: 'rejected' } as const

/** Where the author of feedback reads its answer. Agents read it on the page of their own review. */
const pageOfAsker = ({ id, kind, reviewId, origin }: Feedback) =>
  origin === 'agent' && reviewId !== null ? ownReviewPath(reviewId) : `/qc-v2/${kind}-feedbacks/${id}`

/** Answers feedback. A dispute needs an outcome, and the agent who disputes cannot answer. */
export async function answerFeedback(context: Context, id: number, given: Answer, kind?: Kind) {
  const { db, staff, audit } = context
  const { status, outcome, answer, version } = given
  const before = await hold(context, id, kind, version)
  const isDecided = status === 'answered' || status === 'closed'
  if (before.type === 'dispute') {
    if (isDecided && !outcome && !before.outcome)
      throw refused('A dispute needs an outcome', { outcome: 'Accept, in part, or reject' })
    // an outcome or an answer decides whatever the status, and reopening takes a decision back
    if (isDecided || outcome || answer !== undefined || before.answeredAt)
      mayDecide(staff, before, await reviewerOf(db, before), outcome ?? before.outcome)
  }
  await db
    .update(f)
    .set({
      ...{ status, ...(outcome && { outcome }), ...(answer !== undefined && { answer }) },
      ...((isDecided || answer !== undefined) && { answeredAt: sql`now()`, answeredBy: staff.id }),
      ...nextVersion,
    })
    .where(eq(f.id, id))
  const isAccepted = before.type === 'dispute' && outcome === 'accepted' && before.outcome !== 'accepted'
  if (isAccepted) await applyProposal(context, before)
  const after = await readFeedback(context, id)
  if (isDecided && before.createdBy.id !== staff.id)
    await notify(db, {
      to: [before.createdBy.id],
      reason: 'quality',
      title: `Your ${before.type} about ${before.kind} ${before.externalId} is answered`,
      body: after.outcome ? `${staff.name}: ${outcomeWords[after.outcome]}.` : `${staff.name} answered.`,
      // a review that was moved is no longer theirs
      link: isAccepted && before.proposes?.agent ? '/qc-v2/mine' : pageOfAsker(before),
    })
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
  return after
}

async function hold(context: Context, id: number, kind?: Kind, version?: number): Promise<Feedback> {
  await rows(context.db, sql`select from qc_feedbacks where qc_feedback_id = ${id} for update`)
  const feedback = await readFeedback(context, id, kind)
  context.audit.before(feedback)
  checkVersion(feedback, version, 'The feedback')
  return feedback
}
