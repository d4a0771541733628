import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { trackerItems } from '../items/tables.ts'

/** Comments and internal notes. */
export const trackerTalk = pgTable(
  'tracker_talk',
  {
    id: identity('tracker_talk_id'),
    itemId: integer()
      .notNull()
      .references(() => trackerItems.id),
    type: text({ enum: ['comment', 'note'] }).notNull(),
    body: text().notNull(),
    /** Ids of mentioned people. */
    mentions: integer().array().notNull().default(sql`'{}'`),
    editedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [index('tracker_talk_of_item').on(t.itemId, t.type, t.id).where(sql`${t.deletedAt} is null`)],
)
