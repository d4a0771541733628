import { groups, settingKinds, trackers } from '@innkeeper/contract/desk/trackers/values'
import { colours } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../../kit/db/columns.ts'

/** Statuses, priorities, components, folders and departments of all trackers. */
export const trackerSettings = pgTable(
  'tracker_settings',
  {
    id: identity('tracker_setting_id'),
    tracker: text('face', { enum: trackers }).notNull(),
    kind: text({ enum: settingKinds }).notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    colour: text({ enum: colours }).notNull().default('secondary'),
    position: integer().notNull().default(0),
    /** Only for statuses. */
    group: text({ enum: groups }),
    isDefault: boolean().notNull().default(false),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('tracker_settings_unique_name')
      .on(t.tracker, t.kind, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    index('tracker_settings_in_order').on(t.tracker, t.kind, t.position, t.id),
  ],
)

/** Rules for attached files, once somebody has changed the defaults. */
export const trackerFileConfigs = pgTable('tracker_file_configs', {
  tracker: text('face', { enum: trackers }).primaryKey(),
  version: integer().notNull().default(1),
  maxSizeMb: integer().notNull(),
  maxFiles: integer().notNull(),
  mimeTypes: text().array().notNull(),
})
