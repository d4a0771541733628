import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'

/** Comments and notes of staff. */
export const qcComments = pgTable(
  'qc_comments',
  {
    id: identity('qc_comment_id'),
    type: text({ enum: ['comment', 'note'] }).notNull(),
    subject: text({ enum: ['conversation', 'message', 'review', 'feedback', 'dossier'] }).notNull(),
    subjectId: integer().notNull(),
    /** The conversation that the subject belongs to; null for a dossier. */
    conversationId: integer().references(() => qcConversations.id),
    /** The person whose dossier shows the comment: the agent of the conversation, or the person of the dossier. */
    aboutId: integer(),
    content: text().notNull(),
    /** People who were mentioned. */
    mentions: integer().array().notNull().default(sql`'{}'`),
    editedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('qc_comments_of_conversation').on(t.conversationId, t.id),
    index('qc_comments_about').on(t.aboutId, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('qc_comments_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('qc_comments_search').using('gin', sql`lower(${t.content}) gin_trgm_ops`),
    index('qc_comments_of_subject').on(t.subject, t.subjectId, t.id),
  ],
)

/** Former versions of edited comments. */
export const qcCommentEdits = pgTable(
  'qc_comment_edits',
  {
    id: identity('qc_comment_edit_id'),
    commentId: integer()
      .notNull()
      .references(() => qcComments.id),
    at: instant().notNull().default(sql`now()`),
    by: integer().notNull(),
    content: text().notNull(),
  },
  (t) => [index('qc_comment_edits_of_comment').on(t.commentId)],
)
