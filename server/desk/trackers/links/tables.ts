import { linkKinds } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from '../../../kit/db/columns.ts'
import { trackerItems } from '../items/tables.ts'

/** Links of an item: to another item, or to a row of another domain. */
export const trackerLinks = pgTable(
  'tracker_links',
  {
    id: identity('tracker_link_id'),
    itemId: integer()
      .notNull()
      .references(() => trackerItems.id),
    kind: text({ enum: linkKinds }).notNull(),
    targetId: integer().notNull(),
    createdBy: integer(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [
    uniqueIndex('tracker_links_once').on(t.itemId, t.kind, t.targetId),
    uniqueIndex('tracker_links_pair')
      .on(sql`least(${t.itemId}, ${t.targetId})`, sql`greatest(${t.itemId}, ${t.targetId})`)
      .where(sql`${t.kind} = 'relates'`),
    index('tracker_links_target').on(t.kind, t.targetId),
  ],
)
