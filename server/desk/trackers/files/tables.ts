import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { instant } from '../../../kit/db/columns.ts'
import { files } from '../../files/tables.ts'
import { trackerItems } from '../items/tables.ts'

/** Files of the file manager that are attached to an item. */
export const trackerFiles = pgTable(
  'tracker_files',
  {
    itemId: integer()
      .notNull()
      .references(() => trackerItems.id),
    fileId: integer()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    /**
     * True: uploaded to an item, so that the file goes to the trash with its last item. Other files belong to the file
     * manager.
     */
    isOwn: boolean().notNull(),
    addedBy: integer(),
    addedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.itemId, t.fileId] }), index('tracker_files_file').on(t.fileId)],
)
