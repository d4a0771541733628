import type { ConversationPage, Draft, Message } from '@innkeeper/contract/qc/shapes'
import { Draft as draftSchema } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import { readEscalations } from '../escalations/view.ts'
import { readFeedbacks } from '../feedback/view.ts'
import { idsOf } from '../ids.ts'
import { qcDrafts } from '../reviews/tables.ts'
import { readReviews } from '../reviews/view.ts'
import { readComments } from '../talk/view.ts'
import { qcMessages } from './tables.ts'
import { readConversation } from './view.ts'

/** Messages that a page shows. */
const MOST = 5000

const messages = statement((db) =>
  db
    .select()
    .from(qcMessages)
    .where(eq(qcMessages.conversationId, sql.placeholder('id')))
    .orderBy(qcMessages.at, qcMessages.id)
    .limit(MOST)
    .prepare('qc_messages_of'),
)

/** A conversation with all that stands in it and about it, for one reader. */
export async function readPage(db: Db, id: number, kind: Kind, staffId: number): Promise<ConversationPage> {
  const conversation = await readConversation(db, id, kind)
  const found = await messages(db).execute({ id })
  const of = (table: string, key: string, more = sql`true`) =>
    idsOf(db, table, key, sql`conversation_id = ${id} and ${more}`)
  const live = sql`deleted_at is null`
  return {
    ...conversation,
    items: found.map(shownMessage),
    reviews: await readReviews(db, await of('qc_reviews', 'qc_review_id', live)),
    comments: await readComments(db, await of('qc_comments', 'qc_comment_id', live)),
    escalations: await readEscalations(db, await of('qc_escalations', 'qc_escalation_id')),
    feedbacks: await readFeedbacks(db, await of('qc_feedbacks', 'qc_feedback_id')),
    draft: await readDraft(db, id, staffId),
  }
}

/** A text that the source has removed is not shown. */
const shownMessage = ({
  conversationId: _,
  externalId: __,
  identityId: ___,
  ...message
}: typeof qcMessages.$inferSelect): Message => ({
  ...message,
  body: message.removedAt ? '' : message.body,
})

async function readDraft(db: Db, id: number, staffId: number): Promise<Draft | null> {
  const [draft] = await db
    .select({ content: qcDrafts.content })
    .from(qcDrafts)
    .where(and(eq(qcDrafts.conversationId, id), eq(qcDrafts.reviewerId, staffId)))
  const read = draftSchema.safeParse(draft?.content)
  return read.success ? read.data : null // an older release wrote another form
}
