import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'

export const dossierTeams = pgTable(
  'dossier_teams',
  {
    id: identity('dossier_team_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    managerId: integer().references(() => users.id),
    departmentId: integer().references(() => departments.id),
    /** The team above. */
    parentId: integer().references((): AnyPgColumn => dossierTeams.id),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('dossier_teams_unique').on(sql`lower(${t.name})`).where(live),
      index('dossier_teams_name').on(sql`lower(${t.name})`, t.id).where(live),
      index('dossier_teams_created').on(t.createdAt, t.id).where(live),
      index('dossier_teams_manager').on(t.managerId).where(live),
      index('dossier_teams_above').on(t.parentId).where(live),
      index('dossier_teams_department').on(t.departmentId).where(live),
      index('dossier_teams_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    ]
  },
)

/**
 * Managers who read entries about a person only if published since their appointment (decision 121). No row: the manager
 * reads earlier entries too.
 */
export const dossierReadings = pgTable(
  'dossier_readings',
  {
    managerId: integer()
      .notNull()
      .references(() => users.id),
    personId: integer()
      .notNull()
      .references(() => users.id),
    since: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.managerId, t.personId] }), index('dossier_readings_person').on(t.personId)],
)
