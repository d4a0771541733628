import { holds } from '@innkeeper/contract/kit/access'
import type { ConversationPage, Draft } from '@innkeeper/contract/quality/qc/shapes'
import { Draft as draftSchema } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { checksOf } from '../checks/view.ts'
import { readEscalations } from '../escalations/view.ts'
import { readFeedbacks } from '../feedback/view.ts'
import { idsOf } from '../ids.ts'
import { noteLook } from '../privacy/looks.ts'
import { checkReach } from '../reach.ts'
import { qcDrafts } from '../reviews/tables.ts'
import { readDeletedReviews, readReviews } from '../reviews/view.ts'
import { readComments } from '../talk/view.ts'
import { messagesOf } from './readMessages.ts'
import { readConversation } from './view.ts'

/**
 * A conversation with its messages, reviews and comments, for one reader, all of one moment: whoever saves what they
 * wrote beside words that are erased meanwhile is told so by the version of the row. The action log records who read it.
 */
export const readPage = (context: Context, id: number, kind: Kind): Promise<ConversationPage> =>
  context.db.transaction((db) => readParts({ ...context, db }, id, kind), { isolationLevel: 'repeatable read' })

async function readParts(context: Context, id: number, kind: Kind): Promise<ConversationPage> {
  const { db, staff } = context
  const conversation = await readConversation(db, id, kind)
  await checkReach(context, id)
  await noteLook(context, conversation)
  const of = (table: string, key: string, more = sql`true`) =>
    idsOf(db, table, key, sql`conversation_id = ${id} and ${more}`)
  const [live, deleted] = [sql`deleted_at is null`, sql`deleted_at is not null`]
  const mayRead = (what: 'escalation' | 'feedback') => holds(staff, `qa:${what}:read`)
  const comments = mayRead('feedback') ? sql`true` : sql`subject <> 'feedback'`
  const maySeeDeleted = holds(staff, `qa:${kind}:review-restore`)
  return {
    ...conversation,
    items: await messagesOf(db, id),
    reviews: await readReviews(db, await of('qc_reviews', 'qc_review_id', live)),
    deletedReviews: maySeeDeleted ? await readDeletedReviews(db, await of('qc_reviews', 'qc_review_id', deleted)) : [],
    comments: await readComments(db, await of('qc_comments', 'qc_comment_id', sql`${live} and ${comments}`)),
    escalations: mayRead('escalation')
      ? await readEscalations(context, await of('qc_escalations', 'qc_escalation_id'))
      : [],
    feedbacks: mayRead('feedback') ? await readFeedbacks(context, await of('qc_feedbacks', 'qc_feedback_id')) : [],
    draft: await readDraft(db, id, staff.id),
    checks: holds(staff, 'qa:check:read') ? await checksOf(db, id) : null,
  }
}

async function readDraft(db: Db, id: number, staffId: number): Promise<Draft | null> {
  const [draft] = await db
    .select({ content: qcDrafts.content })
    .from(qcDrafts)
    .where(and(eq(qcDrafts.conversationId, id), eq(qcDrafts.reviewerId, staffId)))
  const read = draftSchema.safeParse(draft?.content)
  return read.success ? read.data : null // an older release stored drafts in another form
}
