import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../../kit/db/columns.ts'

export const dossierPositions = pgTable(
  'dossier_positions',
  {
    id: identity('dossier_position_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** 0 is the top. */
    level: integer().notNull().default(0),
    /** The position above. */
    positionId: integer().references((): AnyPgColumn => dossierPositions.id),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('dossier_positions_unique').on(sql`lower(${t.name})`).where(live),
      index('dossier_positions_name').on(sql`lower(${t.name})`, t.id).where(live),
      index('dossier_positions_level').on(t.level, t.id).where(live),
      index('dossier_positions_created').on(t.createdAt, t.id).where(live),
      index('dossier_positions_above').on(t.positionId).where(live),
      index('dossier_positions_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    ]
  },
)
