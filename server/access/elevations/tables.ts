import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { roles } from '../roles/tables.ts'
import { users } from '../users/tables.ts'

/**
 * Permissions that people have, or ask to have, for some time. Triggers on `users` and `roles` end them when the person or
 * the role changes, whatever changes these. `kit/access/elevated.ts` reads what is held.
 */
export const elevations = pgTable(
  'elevations',
  {
    id: identity('elevation_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    /** Null: the listed permissions. Otherwise those of them that the role still has. */
    roleId: integer().references(() => roles.id),
    scopes: text().array().notNull(),
    minutes: integer().notNull(),
    reason: text().notNull(),
    /** True: a rule let it begin without a second person. */
    atOnce: boolean().notNull().default(false),
    decidedById: integer().references(() => users.id),
    note: text(),
    startsAt: instant(),
    endsAt: instant(),
    endedAt: instant(),
    endedById: integer().references(() => users.id),
    ending: text({ enum: ['time', 'hand', 'rights', 'refused', 'unanswered'] }),
    /** When the end was logged and the person was told. */
    toldAt: instant(),
    ...stored(),
  },
  (t) => [
    index('elevations_held').on(t.userId).where(sql`${t.endedAt} is null`),
    index('elevations_untold').on(t.id).where(sql`${t.toldAt} is null`),
    index('elevations_user').on(t.userId, t.createdAt, t.id),
    index('elevations_created').on(t.createdAt, t.id),
    index('elevations_ends').on(sql`coalesce(${t.endsAt}, 'infinity')`, t.id),
  ],
)

/** Who gets what for some time, and how. */
export const elevationRules = pgTable('elevation_rules', {
  id: identity('elevation_rule_id'),
  way: text({ enum: ['at-once', 'second-person', 'never'] }).notNull(),
  roleId: integer().references(() => roles.id),
  scopes: text().array().notNull(),
  /** Null: everybody. */
  forRoleId: integer().references(() => roles.id),
  maxMinutes: integer().notNull(),
  ...stored(),
})
