import {
  type LeaveCode,
  leaveCharges,
  leaveParts,
  leaveStatuses,
  ledgerKinds,
} from '@innkeeper/contract/planning/leaves/values'
import { sql } from 'drizzle-orm'
import { bigint, boolean, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { identity, instant, stored } from '../../kit/db/columns.ts'

/** Days are stored as half days in integers, so that sums are exact. */
export const leaveTypes = pgTable('leave_types', {
  id: identity('leave_type_id'),
  /** One row per code, created by the migration. */
  code: text().$type<LeaveCode>().notNull().unique(),
  name: text().notNull(),
  isPaid: boolean().notNull(),
  documentFromHalves: integer(),
  deductsBalance: boolean().notNull(),
  allowNegative: boolean().notNull().default(false),
  countsEveryDay: boolean().notNull().default(false),
  halfDays: boolean().notNull().default(true),
  charge: text({ enum: leaveCharges }).notNull().default('days'),
  yearlyHalves: integer().notNull().default(0),
  carryHalvesMax: integer().notNull().default(0),
  /** `06-30` */
  carryUntil: text(),
  ...stored(),
})

/**
 * A request and its decision. The exclusion constraint `leaves_apart` prevents pending or approved leaves of a person
 * that overlap by half a day. It is in the migration, because Drizzle cannot express it.
 */
export const leaves = pgTable(
  'leaves',
  {
    id: identity('leave_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    typeId: integer('leave_type_id')
      .notNull()
      .references(() => leaveTypes.id),
    startDate: date().notNull(),
    endDate: date().notNull(),
    startPart: text({ enum: leaveParts }).notNull(),
    endPart: text({ enum: leaveParts }).notNull(),
    /** Charged half days. */
    halves: integer().notNull(),
    reason: text(),
    /** Key of a blob. */
    documentKey: text(),
    documentName: text(),
    documentType: text(),
    documentSize: bigint({ mode: 'number' }),
    documentSha256: text(),
    status: text({ enum: leaveStatuses }).notNull().default('pending'),
    reviewedBy: integer().references(() => users.id),
    reviewedAt: instant(),
    comment: text(),
    /** The first day before which approvers were reminded. */
    remindedFor: date(),
    ...stored(),
  },
  (t) => [
    index('leaves_start').on(t.startDate, t.id),
    index('leaves_end').on(t.endDate, t.id),
    index('leaves_created').on(t.createdAt, t.id),
    index('leaves_halves').on(t.halves, t.id),
    index('leaves_user').on(t.userId, t.startDate, t.id),
    index('leaves_type').on(t.typeId, t.startDate, t.id),
    index('leaves_status').on(t.status, t.startDate, t.id),
    index('leaves_pending').on(t.createdAt, t.id).where(sql`${t.status} = 'pending'`),
  ],
)

/** Requested by the person and decided like a leave; at most one per leave is pending. */
export const leaveCancellations = pgTable(
  'leave_cancellations',
  {
    id: identity('leave_cancellation_id'),
    leaveId: integer()
      .notNull()
      .references(() => leaves.id),
    reason: text(),
    status: text({ enum: leaveStatuses }).notNull().default('pending'),
    reviewedBy: integer().references(() => users.id),
    reviewedAt: instant(),
    comment: text(),
    /** The first day before which approvers were reminded. */
    remindedFor: date(),
    ...stored(),
  },
  (t) => [
    index('leave_cancellations_leave').on(t.leaveId, t.id),
    uniqueIndex('leave_cancellations_waiting').on(t.leaveId).where(sql`${t.status} = 'pending'`),
  ],
)

/** All movements of all balances. Rows are only inserted. */
export const leaveLedger = pgTable(
  'leave_ledger',
  {
    id: identity('leave_entry_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    typeId: integer('leave_type_id')
      .notNull()
      .references(() => leaveTypes.id),
    year: integer().notNull(),
    /** Half days; negative for a charge. */
    halves: integer().notNull(),
    kind: text({ enum: ledgerKinds }).notNull(),
    leaveId: integer().references(() => leaves.id),
    note: text(),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [
    index('leave_ledger_account').on(t.userId, t.year, t.typeId),
    index('leave_ledger_leave').on(t.leaveId).where(sql`${t.leaveId} is not null`),
    uniqueIndex('leave_ledger_grant').on(t.userId, t.typeId, t.year).where(sql`${t.kind} = 'grant'`),
  ],
)

/** Yearly half days of a person that differ from the type's; null: the difference was removed. */
export const leaveEntitlements = pgTable(
  'leave_entitlements',
  {
    id: identity('leave_entitlement_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    typeId: integer('leave_type_id')
      .notNull()
      .references(() => leaveTypes.id),
    halves: integer(),
    ...stored(),
  },
  (t) => [uniqueIndex('leave_entitlements_once').on(t.userId, t.typeId)],
)

/**
 * Approvers of one department, or the default list if there is no department. A save is checked against the row's
 * version.
 */
export const leaveApproverLists = pgTable(
  'leave_approver_lists',
  {
    id: identity('leave_approver_list_id'),
    departmentId: integer().references(() => departments.id),
    ...stored(),
  },
  (t) => [uniqueIndex('leave_approver_lists_once').on(sql`coalesce(${t.departmentId}, 0)`)],
)

export const leaveApprovers = pgTable(
  'leave_approvers',
  {
    id: identity('leave_approver_id'),
    listId: integer('leave_approver_list_id')
      .notNull()
      .references(() => leaveApproverLists.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id),
    substituteId: integer().references(() => users.id),
    position: integer().notNull(),
  },
  (t) => [
    uniqueIndex('leave_approvers_once').on(t.listId, t.userId),
    index('leave_approvers_user').on(t.userId),
    index('leave_approvers_substitute').on(t.substituteId),
  ],
)

/** Hash of the key in a person's calendar feed address. */
export const leaveFeeds = pgTable('leave_feeds', {
  id: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  hash: text().notNull().unique(),
  createdAt: instant().notNull().default(sql`now()`),
  lastReadAt: instant(),
})
