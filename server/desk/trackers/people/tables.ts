import { trackers } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { instant } from '../../../kit/db/columns.ts'
import { trackerItems } from '../items/tables.ts'

const item = () =>
  integer()
    .notNull()
    .references(() => trackerItems.id)
const person = () =>
  integer()
    .notNull()
    .references(() => users.id)

export const trackerWatchers = pgTable('tracker_watchers', { itemId: item(), userId: person() }, (t) => [
  primaryKey({ columns: [t.itemId, t.userId] }),
  index('tracker_watchers_user').on(t.userId, t.itemId),
])

/** Votes for feature requests. */
export const trackerVotes = pgTable(
  'tracker_votes',
  { itemId: item(), userId: person(), at: instant().notNull().default(sql`now()`) },
  (t) => [primaryKey({ columns: [t.itemId, t.userId] }), index('tracker_votes_user').on(t.userId)],
)

/** People who can be assigned, as of the last update of the list. */
export const trackerAssignees = pgTable(
  'tracker_assignees',
  {
    tracker: text('face', { enum: trackers }).notNull(),
    userId: person(),
    refreshedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.tracker, t.userId] })],
)
