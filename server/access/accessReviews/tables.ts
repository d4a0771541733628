import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** Rounds in which people judge who holds what. */
export const accessReviews = pgTable(
  'access_reviews',
  {
    id: identity('access_review_id'),
    name: text().notNull(),
    unusedDays: integer().notNull(),
    dueOn: date().notNull(),
    /** Whom Innkeeper reminds. */
    reviewerId: integer()
      .notNull()
      .references(() => users.id),
    isCancelled: boolean().notNull().default(false),
    endedAt: instant(),
    endedById: integer().references(() => users.id),
    remindedAt: instant(),
    ...stored(),
  },
  (t) => [
    index('access_reviews_created').on(t.createdAt, t.id),
    index('access_reviews_due').on(t.dueOn, t.id),
    index('access_reviews_open').on(t.id).where(sql`${t.endedAt} is null`),
  ],
)

/** What somebody held when the review began. */
export const accessReviewItems = pgTable(
  'access_review_items',
  {
    id: identity('access_review_item_id'),
    reviewId: integer()
      .notNull()
      .references(() => accessReviews.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: ['administrator', 'role', 'department', 'elevation', 'token'] }).notNull(),
    /** Id of the role, the department, the elevation or the token. */
    refId: integer(),
    name: text().notNull(),
    source: text().notNull(),
    scopes: text().array().notNull(),
    unused: text().array().notNull(),
    lastUsedAt: instant(),
    isProposed: boolean().notNull(),
    decision: text({ enum: ['keep', 'remove'] }),
    decidedById: integer().references(() => users.id),
    decidedAt: instant(),
    note: text(),
    outcome: text(),
  },
  (t) => [
    index('access_review_items_user').on(t.reviewId, t.userId, t.id),
    index('access_review_items_used').on(t.reviewId, sql`coalesce(${t.lastUsedAt}, 'epoch')`, t.id),
  ],
)

/** When somebody last made a call that needs the permission, to the hour; see kit/access/uses.ts. */
export const permissionUses = pgTable(
  'permission_uses',
  {
    userId: integer()
      .notNull()
      .references(() => users.id),
    scope: text().notNull(),
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.scope] })],
)
