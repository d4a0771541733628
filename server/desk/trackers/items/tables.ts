import { groups, trackers } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type AnyPgColumn, date, index, integer, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { trackerSettings } from '../settings/tables.ts'

const setting = () => integer().references(() => trackerSettings.id)

/** Bugs, feature requests and internal tickets. */
export const trackerItems = pgTable(
  'tracker_items',
  {
    id: identity('tracker_item_id'),
    tracker: text('face', { enum: trackers }).notNull(),
    /** The key in another tracker that the item was imported from: `OPS-17`, `#:19`. */
    origin: text(),
    /** Number within the tracker: 142 in `BUG-142`. */
    number: integer().notNull(),
    title: text().notNull(),
    description: text().notNull().default(''),
    steps: text().notNull().default(''),
    expected: text().notNull().default(''),
    releaseNote: text().notNull().default(''),
    statusId: integer()
      .notNull()
      .references(() => trackerSettings.id),
    /** Group of the status, repeated here so that lists and indexes need no join. */
    statusGroup: text({ enum: groups }).notNull(),
    priorityId: setting(),
    /** Position of the priority for sorting; items without a priority come last. */
    urgency: smallint().notNull().default(32000),
    componentId: setting(),
    folderId: setting(),
    departmentId: setting(),
    assigneeId: integer().references(() => users.id),
    reporterId: integer().references(() => users.id),
    dueOn: date({ mode: 'string' }),
    /** The date of which people were reminded after it had passed. */
    remindedFor: date({ mode: 'string' }),
    estimateMinutes: integer(),
    /** Number of comments and notes that are not deleted. */
    comments: integer().notNull().default(0),
    votes: integer().notNull().default(0),
    duplicateOfId: integer().references((): AnyPgColumn => trackerItems.id),
    completedAt: instant(),
    archivedAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    // these indexes include deleted items, so that lists with and without them are read from the index alone
    const active = sql`${t.archivedAt} is null`
    const archived = sql`${t.archivedAt} is not null`
    const due = sql`coalesce(${t.dueOn}, date '9999-12-31')`
    /** Columns by which the cards of a board's column are sorted. */
    const card = [t.updatedAt, t.id, t.deletedAt, t.urgency] as const
    return [
      uniqueIndex('tracker_items_number').on(t.tracker, t.number),
      index('tracker_items_updated').on(t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_all').on(t.tracker, t.updatedAt, t.id),
      index('tracker_items_created').on(t.tracker, t.createdAt, t.id, t.deletedAt).where(active),
      index('tracker_items_numbered').on(t.tracker, t.number, t.id, t.deletedAt).where(active),
      index('tracker_items_urgency').on(t.tracker, t.urgency, t.id, t.deletedAt).where(active),
      index('tracker_items_due').on(t.tracker, due, t.id, t.deletedAt).where(active),
      index('tracker_items_votes').on(t.tracker, t.votes, t.id, t.deletedAt).where(active),
      index('tracker_items_status').on(t.statusId, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_group').on(t.tracker, t.statusGroup, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_assignee').on(t.assigneeId, t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_reporter').on(t.reporterId, t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_priority').on(t.priorityId, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_component').on(t.componentId, t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_folder').on(t.folderId, t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      index('tracker_items_department').on(t.departmentId, t.tracker, t.updatedAt, t.id, t.deletedAt).where(active),
      // indexes for columns of a board; the other filters at the end let combined filters use the index alone
      index('tracker_items_priority_status')
        .on(t.priorityId, t.statusId, ...card, t.componentId, t.folderId, t.departmentId, t.assigneeId)
        .where(active),
      index('tracker_items_component_status')
        .on(t.componentId, t.statusId, ...card, t.priorityId, t.folderId, t.departmentId, t.assigneeId)
        .where(active),
      index('tracker_items_assignee_status')
        .on(t.assigneeId, t.statusId, ...card, t.priorityId, t.componentId, t.folderId, t.departmentId)
        .where(active),
      index('tracker_items_folder_status')
        .on(t.folderId, t.statusId, ...card, t.priorityId, t.componentId, t.departmentId, t.assigneeId)
        .where(active),
      index('tracker_items_department_status')
        .on(t.departmentId, t.statusId, ...card, t.priorityId, t.componentId, t.folderId, t.assigneeId)
        .where(active),
      // only few items are open and have a due day
      index('tracker_items_overdue')
        .on(t.tracker, t.dueOn, t.statusId, ...card)
        .where(sql`${active} and ${t.dueOn} is not null and ${t.statusGroup} not in ('completed', 'cancelled')`),
      index('tracker_items_origin').on(t.tracker, t.origin).where(sql`${t.origin} is not null`),
      index('tracker_items_duplicates').on(t.duplicateOfId).where(sql`${t.duplicateOfId} is not null`),
      index('tracker_items_completed').on(t.tracker, t.completedAt, t.id).where(sql`${t.completedAt} is not null`),
      index('tracker_items_archived').on(t.tracker, t.updatedAt, t.id).where(archived),
      index('tracker_items_archived_created').on(t.tracker, t.createdAt, t.id, t.deletedAt).where(archived),
      index('tracker_items_archived_numbered').on(t.tracker, t.number, t.id, t.deletedAt).where(archived),
      index('tracker_items_archived_urgency').on(t.tracker, t.urgency, t.id, t.deletedAt).where(archived),
      index('tracker_items_archived_due').on(t.tracker, due, t.id, t.deletedAt).where(archived),
      index('tracker_items_archived_votes').on(t.tracker, t.votes, t.id, t.deletedAt).where(archived),
      index('tracker_items_deleted').on(t.tracker, t.updatedAt, t.id).where(sql`${t.deletedAt} is not null`),
      index('tracker_items_title').using('gin', sql`lower(${t.title}) gin_trgm_ops`),
    ]
  },
)

/** The last number of each tracker. */
export const trackerCounters = pgTable('tracker_counters', {
  tracker: text('face', { enum: trackers }).primaryKey(),
  last: integer().notNull(),
})

/** A change of one field, as text. */
export const trackerHistory = pgTable(
  'tracker_history',
  {
    id: identity('tracker_history_id'),
    itemId: integer()
      .notNull()
      .references(() => trackerItems.id),
    at: instant().notNull().default(sql`now()`),
    by: integer(),
    field: text().notNull(),
    before: text(),
    after: text(),
  },
  (t) => [index('tracker_history_of_item').on(t.itemId, t.id)],
)
