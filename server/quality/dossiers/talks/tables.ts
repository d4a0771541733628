import { talkKinds, talkStates } from '@innkeeper/contract/quality/dossiers/values'
import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { identity, instant, stored } from '../../../kit/db/columns.ts'

const who = () =>
  integer()
    .notNull()
    .references(() => users.id)

export const dossierTalks = pgTable(
  'dossier_talks',
  {
    id: identity('dossier_talk_id'),
    kind: text({ enum: talkKinds }).notNull(),
    title: text().notNull(),
    personId: who(),
    leadId: who(),
    heldOn: date().notNull(),
    state: text({ enum: talkStates }).notNull().default('preparing'),
    /** The questions at the time when the talk was created. */
    questions: text().array().notNull(),
    goals: text().array().notNull().default(sql`'{}'`),
    releasedAt: instant(),
    ...stored(),
  },
  (t) => [
    index('dossier_talks_created').on(t.createdAt, t.id),
    index('dossier_talks_person').on(t.personId, t.createdAt, t.id),
    index('dossier_talks_lead').on(t.leadId, t.createdAt, t.id),
  ],
)

/** Prepared answers of one side. */
export const dossierTalkAnswers = pgTable(
  'dossier_talk_answers',
  {
    talkId: integer()
      .notNull()
      .references(() => dossierTalks.id),
    userId: who(),
    texts: text().array().notNull(),
    isReady: boolean().notNull().default(false),
    savedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.talkId, t.userId] })],
)
