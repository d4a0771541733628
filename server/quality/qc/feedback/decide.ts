import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mayDecide } from '../rights.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { informOfAnswer, informOfReopening, informOfWithdrawal, reviewerOf } from './inform.ts'
import { applyProposal } from './proposal.ts'
import { qcFeedbacks as f } from './tables.ts'
import { readFeedbacks } from './view.ts'
import { type Answer, hold } from './write.ts'

const DAY = 86_400_000

const isOver = (status: Feedback['status']) => status === 'answered' || status === 'closed'

/** Answers feedback, or decides a dispute, which needs an outcome. Whoever disputes, or is named, decides nothing. */
export async function answerFeedback(context: Context, id: number, given: Answer, kind?: Feedback['kind']) {
  const { db, staff, audit } = context
  const { status, outcome, answer, version } = given
  const before = await hold(context, id, kind, version)
  if (before.type === 'dispute') await checkDecision(context, before, given)
  else if (outcome) throw refused('Only a dispute has an outcome', { outcome: 'Only a dispute has an outcome' })
  const isDecided = isOver(status)
  const isReopened = isOver(before.status) && !isDecided
  await db
    .update(f)
    .set({
      ...{ status, ...(outcome && { outcome }), ...(answer !== undefined && { answer }) },
      ...(isReopened && (await reopened(context, before))),
      ...((isDecided || answer !== undefined) && { answeredAt: sql`now()`, answeredBy: staff.id }),
      ...nextVersion,
    })
    .where(eq(f.id, id))
  if (outcome === 'accepted' && before.outcome !== 'accepted') await applyProposal(context, before)
  const [after] = await readFeedbacks(context, [id])
  if (isReopened) await informOfReopening(context, before)
  if (isDecided && after && isNews(before, after)) await informOfAnswer(context, before, after)
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
  return after! // it is locked
}

const isNews = (before: Feedback, after: Feedback) =>
  !isOver(before.status) || before.outcome !== after.outcome || before.answer !== after.answer

/** Throws unless the caller may decide the dispute in this way, now. */
async function checkDecision(context: Context, before: Feedback, { status, outcome, answer }: Answer): Promise<void> {
  const isDecided = isOver(status)
  if (isDecided && !outcome && !before.outcome)
    throw refused('A dispute needs an outcome', { outcome: 'Accept, in part, or reject' })
  // an outcome or an answer decides whatever the status, and reopening takes a decision back
  if (isDecided || outcome || answer !== undefined || before.answeredAt || before.outcome)
    mayDecide(context.staff, before, await reviewerOf(context.db, before), outcome ?? before.outcome)
  if (outcome && !isDecided)
    throw refused('An outcome ends a dispute', { status: 'An outcome is given with “answered” or “closed”' })
  if (before.outcome === 'withdrawn') throw refused(`${before.createdBy.name} has withdrawn the dispute`)
  if (before.status === 'closed' && before.outcome === null)
    throw refused('The dispute ended with its review: there is nothing to decide')
  const isApplied = before.outcome === 'accepted' && before.proposes !== null
  if (isApplied && (!isDecided || (outcome && outcome !== 'accepted')))
    throw refused('The review was changed when the dispute was accepted', {
      outcome: 'Change the review instead: the decision stays',
    })
}

/** What becomes of a decision that is taken back. A dispute is due anew. */
async function reopened({ db, now }: Context, { type, kind, reviewId }: Feedback) {
  const begun = { outcome: null, answeredAt: null, answeredBy: null }
  if (type !== 'dispute') return begun
  const other = await rows(
    db,
    sql`select from qc_feedbacks where review_id = ${reviewId} and type = 'dispute' and status in ('open', 'in-progress')`,
  )
  if (other.length) throw conflict('Another dispute of the review is open', { current: { reviewId } })
  const { answerDays } = await readQueueSettings(db, kind)
  return { ...begun, dueAt: new Date(now.getTime() + answerDays * DAY).toISOString() }
}

/** Ends the open dispute of a review by its author, who may dispute the review again until the deadline. */
export async function withdrawDispute(context: Context, reviewId: number): Promise<void> {
  const { db, staff, audit } = context
  const [open] = await rows<{ id: number }>(
    db,
    sql`select qc_feedback_id as id from qc_feedbacks where review_id = ${reviewId} and type = 'dispute'
      and created_by = ${staff.id} and status in ('open', 'in-progress')`,
  )
  const before = open && (await hold(context, open.id))
  if (!before || isOver(before.status)) throw notFound('open dispute of review', reviewId)
  await db
    .update(f)
    .set({
      ...{ status: 'closed', outcome: 'withdrawn', answeredAt: sql`now()`, answeredBy: staff.id },
      ...nextVersion,
    })
    .where(eq(f.id, before.id))
  const [after] = await readFeedbacks(context, [before.id])
  await informOfWithdrawal(context, before)
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
}
