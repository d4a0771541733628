import { visibilities } from '@innkeeper/contract/quality/dossiers/values'
import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { dossierWords } from '../words/tables.ts'

const word = () => integer().references(() => dossierWords.id)

/** Feedback about a person. `readers.ts` decides who may read an entry. */
export const dossierFeedbacks = pgTable(
  'dossier_feedbacks',
  {
    id: identity('dossier_feedback_id'),
    subjectId: integer()
      .notNull()
      .references(() => users.id),
    authorId: integer()
      .notNull()
      .references(() => users.id),
    typeId: word(),
    categoryId: word(),
    reviewCategoryId: word(),
    content: text().notNull(),
    visibility: text({ enum: visibilities }).notNull(),
    isDraft: boolean().notNull().default(false),
    publishedAt: instant(),
    mentions: integer().array().notNull().default(sql`'{}'`),
    /** Files of the file manager. They may be deleted there. */
    fileIds: integer().array().notNull().default(sql`'{}'`),
    followUpOn: date(),
    followUpById: integer().references(() => users.id),
    /** When the reminder was sent. */
    remindedAt: instant(),
    acknowledgedAt: instant(),
    answer: text().notNull().default(''),
    editedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('dossier_feedbacks_created').on(t.createdAt, t.id).where(live),
      index('dossier_feedbacks_subject').on(t.subjectId, t.createdAt, t.id).where(live),
      index('dossier_feedbacks_waiting')
        .on(t.subjectId, t.createdAt, t.id)
        .where(
          sql`${live} and not ${t.isDraft} and ${t.acknowledgedAt} is null and ${t.subjectId} <> ${t.authorId} and ${t.visibility} in ('subject-and-manager', 'team')`,
        ),
      index('dossier_feedbacks_author').on(t.authorId, t.createdAt, t.id).where(live),
      index('dossier_feedbacks_type').on(t.typeId).where(live),
      index('dossier_feedbacks_category').on(t.categoryId).where(live),
      index('dossier_feedbacks_review_category').on(t.reviewCategoryId).where(live),
      index('dossier_feedbacks_reminders').on(t.followUpOn).where(sql`${live} and ${t.remindedAt} is null`),
      index('dossier_feedbacks_follow_up').on(t.followUpById).where(live),
      index('dossier_feedbacks_search').using('gin', sql`lower(${t.content}) gin_trgm_ops`),
    ]
  },
)

/** A former version of an entry. */
export const dossierFeedbackEdits = pgTable(
  'dossier_feedback_edits',
  {
    id: identity('dossier_feedback_edit_id'),
    feedbackId: integer()
      .notNull()
      .references(() => dossierFeedbacks.id),
    at: instant().notNull().default(sql`now()`),
    by: integer().notNull(),
    content: text().notNull(),
    visibility: text({ enum: visibilities }).notNull(),
  },
  (t) => [index('dossier_feedback_edits_of').on(t.feedbackId, t.id)],
)
