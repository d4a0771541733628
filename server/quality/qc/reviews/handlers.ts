import type { qcChats as contract } from '@innkeeper/contract/quality/qc/conversations'
import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { holdConversation, refuseErased } from '../conversations/queue.ts'
import { readConversation } from '../conversations/view.ts'
import { closeDispute } from '../feedback/closeDispute.ts'
import { placeOf } from '../ids.ts'
import { checkReach } from '../reach.ts'
import { checkMayRead, mayChangeReview } from '../rights.ts'
import { checkTags } from '../settings/tags.ts'
import { unpackDays } from '../statistics/days.ts'
import { changeReview } from './change.ts'
import { editsOf } from './edits.ts'
import { nextFor } from './next.ts'
import { notifyAgent, notifyReviewer } from './notifyAgent.ts'
import { restore } from './restore.ts'
import { checkEvidence, freeze, frozenRubric } from './score.ts'
import { sendStats } from './sendStats.ts'
import { saveDraft, settle, submit } from './submit.ts'
import { qcReviews } from './tables.ts'
import { readReviews } from './view.ts'

type Calls = 'submit' | 'updateReview' | 'reviewEdits' | 'removeReview' | 'restoreReview' | 'saveDraft' | 'next'

interface Target {
  chatId?: number | undefined
  ticketId?: number | undefined
}

/** The id of the conversation, if there is one: `chatId` or `ticketId` of a body, by kind. The other one is refused. */
export function idOf(kind: Kind, { chatId, ticketId }: Target): number | undefined {
  const [id, other, field] = kind === 'chat' ? [chatId, ticketId, 'ticketId'] : [ticketId, chatId, 'chatId']
  if (other !== undefined) throw refused(`This is about a ${kind}`, { [field]: `Not for a ${kind}` })
  return id
}

export function targetOf(kind: Kind, target: Target): number {
  const id = idOf(kind, target)
  if (id === undefined) throw refused(`No ${kind} is named`, { [`${kind}Id`]: 'Required' })
  return id
}

export const reviewHandlers = (kind: Kind): Pick<Handlers<typeof contract>, Calls> => ({
  submit: (input, context) => submit(context, kind, targetOf(kind, input), input),

  async next({ id }, { db, staff }) {
    await readConversation(db, id, kind)
    return { nextId: await nextFor({ db, staff }, kind, id) }
  },

  async saveDraft({ id, data }, { db, staff }) {
    await holdConversation(db, id, kind)
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, id)
    refuseErased(await readConversation(db, id, kind))
    await saveDraft(db, id, staff.id, data)
  },

  async updateReview({ id, data, version, ...input }, context) {
    const { db, staff, audit } = context
    const before = await hold(context, id, kind, version)
    mayChangeReview(staff, before)
    if (data) {
      if (data.tags) await checkTags(db, data.tags, kind, { had: before.tagIds })
      const { scores: given, tags: tagIds, comment } = data
      const scores = given && freeze(await frozenRubric(db, before), given, before.agent.id)
      if (scores) await checkEvidence(db, before.conversationId, scores)
      await changeReview(context, before, { scores, tagIds, comment })
    }
    if (input.sendStats) await sendStats(db, [id])
    const after = await readReview(db, id, kind)
    if (graded(before) !== graded(after)) {
      await notifyAgent(context, 'changed', before, after)
      await notifyReviewer(context, 'changed', after)
    }
    audit.after(after)
    await changed(db, 'qc', before.conversationId)
    return after
  },

  async reviewEdits({ id }, context) {
    const { db } = context
    const review = await readReview(db, id, kind)
    await checkReach(context, review.conversationId)
    return { items: await editsOf(db, review), rubric: await frozenRubric(db, review) }
  },

  async removeReview({ id, version }, context) {
    const { db, staff } = context
    const review = await hold(context, id, kind, version)
    mayChangeReview(staff, review)
    const { conversationId } = review
    await db
      .update(qcReviews)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(qcReviews.id, id))
    await unpackDays(db, [review.submittedAt])
    await settle(db, conversationId)
    await notifyAgent(context, 'deleted', review)
    await notifyReviewer(context, 'deleted', review)
    await closeDispute(context, id)
    await changed(db, 'qc', conversationId)
  },

  restoreReview: ({ id, version }, context) => restore(context, kind, id, version),
})

/** What a changed grade changes. */
const graded = ({ score, scores }: Review) =>
  JSON.stringify([score, scores.map(({ typeId, value }) => [typeId, value])])

async function readReview(db: Db, id: number, kind: Kind): Promise<Review> {
  const [review] = await readReviews(db, [id])
  if (review?.kind !== kind) throw notFound('review', id)
  return review
}

async function hold(context: Context, id: number, kind: Kind, version: number | undefined): Promise<Review> {
  const { db, audit } = context
  // the conversation first, as an erasure does
  const place = await placeOf(db, 'qc_reviews', 'qc_review_id', id)
  if (place === undefined) throw notFound('review', id)
  await holdConversation(db, place)
  await rows(db, sql`select from qc_reviews where qc_review_id = ${id} for update`)
  const review = await readReview(db, id, kind)
  await checkReach(context, review.conversationId)
  audit.before(review)
  checkVersion(review, version, 'The review')
  return review
}
