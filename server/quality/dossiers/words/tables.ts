import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../../kit/db/columns.ts'

export const wordKinds = ['category', 'type', 'review-category'] as const
export type WordKind = (typeof wordKinds)[number]

/** Categories, types and review categories, by which feedback is classified. */
export const dossierWords = pgTable(
  'dossier_words',
  {
    id: identity('dossier_word_id'),
    kind: text({ enum: wordKinds }).notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    isActive: boolean().notNull().default(true),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('dossier_words_unique').on(t.kind, sql`lower(${t.name})`).where(live),
      index('dossier_words_name').on(t.kind, sql`lower(${t.name})`, t.id).where(live),
      index('dossier_words_created').on(t.kind, t.createdAt, t.id).where(live),
      index('dossier_words_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    ]
  },
)
