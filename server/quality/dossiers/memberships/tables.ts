import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, stored } from '../../../kit/db/columns.ts'
import { dossierPositions } from '../positions/tables.ts'
import { dossierTeams } from '../teams/tables.ts'

/**
 * Memberships of people in teams over time. Two exclusion constraints prevent overlaps even with concurrent requests: a
 * person has one main team at a time, and is in the same team only once at a time.
 */
export const dossierMemberships = pgTable(
  'dossier_memberships',
  {
    id: identity('dossier_membership_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    teamId: integer()
      .notNull()
      .references(() => dossierTeams.id),
    positionId: integer().references(() => dossierPositions.id),
    startsOn: date().notNull(),
    /** The last day; null: open. */
    endsOn: date(),
    isAdditional: boolean().notNull().default(false),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('dossier_memberships_starts').on(t.startsOn, t.id).where(live),
      index('dossier_memberships_created').on(t.createdAt, t.id).where(live),
      index('dossier_memberships_user').on(t.userId, t.startsOn, t.id).where(live),
      index('dossier_memberships_team').on(t.teamId, t.startsOn, t.id).where(live),
      index('dossier_memberships_position').on(t.positionId, t.startsOn, t.id).where(live),
    ]
  },
)
