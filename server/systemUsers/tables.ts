import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../kit/columns.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { servers } from '../servers/tables.ts'

/** A Linux account of an owner on one server, with one plan. */
export const systemUsers = pgTable(
  'system_users',
  {
    id: identity('system_user_id'),
    username: text().notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    ownerId: integer()
      .notNull()
      .references(() => owners.id),
    planId: integer()
      .notNull()
      .references(() => plans.id),
    homeDir: text().notNull(),
    shell: text().notNull(),
    status: text({ enum: ['active', 'suspended', 'disabled'] })
      .notNull()
      .default('active'),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('system_users_name').on(t.serverId, t.username).where(sql`${t.deletedAt} is null`),
    index('system_users_owner').on(t.ownerId, t.serverId),
  ],
)
