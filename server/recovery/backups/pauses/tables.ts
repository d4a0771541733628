import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { servers } from '../../../machines/servers/tables.ts'

/** Pauses of servers: no backup of the server starts until `until`. */
export const backupPauses = pgTable(
  'backup_pauses',
  {
    id: identity('backup_pause_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    until: instant().notNull(),
    reason: text().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('backup_pauses_server').on(t.serverId).where(sql`${t.deletedAt} is null`)],
)
