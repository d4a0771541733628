import { alertKinds } from '@innkeeper/contract/recovery/backups/values'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../kit/db/columns.ts'

/** Alerts that people were notified of. An alert is open until `endedAt`. */
export const backupAlerts = pgTable(
  'backup_alerts',
  {
    id: identity('backup_alert_id'),
    kind: text({ enum: alertKinds }).notNull(),
    /** Key of the affected object, unique within the kind of alert: `website 12`. */
    about: text().notNull(),
    name: text().notNull(),
    since: instant().notNull().default(sql`now()`),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex('backup_alerts_open').on(t.kind, t.about).where(sql`${t.endedAt} is null`),
    index('backup_alerts_ended').on(t.endedAt),
  ],
)
