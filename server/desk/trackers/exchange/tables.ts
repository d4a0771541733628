import { trackers } from '@innkeeper/contract/desk/trackers/values'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../../kit/db/columns.ts'
import { trackerItems } from '../items/tables.ts'

/** Imports, each one act that can be undone. */
export const trackerImports = pgTable(
  'tracker_imports',
  {
    id: identity('tracker_import_id'),
    tracker: text('face', { enum: trackers }).notNull(),
    /** Name of the file, if the browser said it. */
    name: text(),
    added: integer().notNull(),
    updated: integer().notNull(),
    /** Lines whose items were known and stayed as they were. */
    skipped: integer().notNull(),
    undoneAt: instant(),
    undoneBy: integer(),
    ...stored(),
  },
  (t) => [index('tracker_imports_newest').on(t.tracker, t.id)],
)

/** Values that an item had before an import changed it. */
export type Former = Record<string, string | number | null>

/** What an import did to each item. */
export const trackerImported = pgTable(
  'tracker_imported',
  {
    importId: integer('tracker_import_id')
      .notNull()
      .references(() => trackerImports.id),
    itemId: integer()
      .notNull()
      .references(() => trackerItems.id),
    act: text({ enum: ['added', 'updated'] }).notNull(),
    before: jsonb().$type<Former>(),
    /** Number of comments after the import. */
    comments: integer().notNull(),
    /** The latest row of the item's history after the import: a later one is a change. */
    historyId: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.itemId] }), index('tracker_imported_item').on(t.itemId)],
)
