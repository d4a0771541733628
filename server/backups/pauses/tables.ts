import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { servers } from '../../servers/tables.ts'

/** Nothing is backed up from a server until then. */
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
