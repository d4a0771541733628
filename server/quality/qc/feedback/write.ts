import type {
  feedbackAnswer,
  feedbackFields,
  feedbackQuery,
  proposal,
} from '@innkeeper/contract/quality/qc/conversations'
import type { Feedback, Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { holdConversation, holdToWrite } from '../conversations/queue.ts'
import { readConversation } from '../conversations/view.ts'
import { placeOf } from '../ids.ts'
import { checkReach, ofReach } from '../reach.ts'
import { readReviews } from '../reviews/view.ts'
import { checkMayRead, mayChangeFeedback, type Reading } from '../rights.ts'
import { searchedCases } from '../searchedCases.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { disputableOf } from './disputable.ts'
import { informOfDispute, informOfFeedback } from './inform.ts'
import { readProposal } from './proposal.ts'
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
  const { db, staff, audit } = context
  const { feedback: content, review: reviewId, type = 'feedback', origin, proposes: wish } = fields
  const id = conversationId ?? (await readReview(db, kind, reviewId))?.conversationId
  if (id === undefined) throw refused(`No ${kind} is named`, { [`${kind}Id`]: 'Required without a review' })
  await holdToWrite(db, id, kind)
  // read under the lock: the review may have been changed, moved or deleted meanwhile
  const review = await readReview(db, kind, reviewId)
  const conversation = await readConversation(db, id, kind)
  checkMayRead(staff, kind, [review?.agent.id, ...conversation.agents.map((agent) => agent.id)])
  if (review?.agent.id !== staff.id) await checkReach(context, id)
  if (review && review.conversationId !== id)
    throw refused('The review is of another conversation', { review: 'Of another conversation' })
  const dueAt = type === 'dispute' ? await checkDispute(context, review) : null
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
  if (type === 'dispute') await informOfDispute(context, feedback)
  else if (review) await informOfFeedback(context, feedback, review)
  audit.after(feedback)
  await changed(db, 'qc', id)
  return feedback
}

async function readReview(db: Db, kind: Kind, id: number | undefined): Promise<Review | undefined> {
  const [review] = id ? await readReviews(db, [id]) : []
  if (id && review?.kind !== kind)
    throw refused(`Review ${id} does not exist`, { review: `Review ${id} does not exist` })
  return review
}

/** Throws unless the caller may dispute the review now. Returns when the dispute is due. */
async function checkDispute(context: Context, review: Review | undefined): Promise<string> {
  const { db, staff, now } = context
  if (review?.agent.id !== staff.id)
    throw refused('Only the reviewed agent disputes a review', { review: 'Not a review of yours' })
  const { until, days, dispute } = await disputableOf(db, review)
  if (now.getTime() > until)
    throw refused(`A review can be disputed for ${days} days`, { review: `Older than ${days} days` })
  if (dispute !== null)
    throw conflict('The review is already disputed', { current: await readFeedback(context, dispute) })
  const { answerDays } = await readQueueSettings(db, review.kind)
  return new Date(now.getTime() + answerDays * DAY).toISOString()
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

/** Locks and reads feedback. Its conversation comes first, as for everything that is written about one. */
export async function hold(context: Context, id: number, kind?: Kind, version?: number): Promise<Feedback> {
  const { db, audit } = context
  const place = await placeOf(db, 'qc_feedbacks', 'qc_feedback_id', id)
  if (place === undefined) throw notFound('feedback', id)
  await holdConversation(db, place)
  await rows(db, sql`select from qc_feedbacks where qc_feedback_id = ${id} for update`)
  const feedback = await readFeedback(context, id, kind)
  audit.before(feedback)
  checkVersion(feedback, version, 'The feedback')
  return feedback
}
