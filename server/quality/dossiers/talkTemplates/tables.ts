import { talkKinds } from '@innkeeper/contract/quality/dossiers/values'
import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../../kit/db/columns.ts'

/** Templates of questions for talks. The migration that creates the table fills in one of each kind. */
export const dossierTalkTemplates = pgTable(
  'dossier_talk_templates',
  {
    id: identity('dossier_talk_template_id'),
    kind: text({ enum: talkKinds }).notNull(),
    name: text().notNull(),
    questions: text().array().notNull(),
    isActive: boolean().notNull().default(true),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('dossier_talk_templates_unique').on(sql`lower(${t.name})`).where(live),
      index('dossier_talk_templates_name').on(sql`lower(${t.name})`, t.id).where(live),
      index('dossier_talk_templates_created').on(t.createdAt, t.id).where(live),
    ]
  },
)
