import {
  leaveEffects,
  shiftColours,
  shiftSources,
  shiftStatuses,
  swapRules,
  swapStatuses,
  wishKinds,
} from '@innkeeper/contract/planning/shifts/values'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import type { Retold } from '../leaves/recharge/recharged.ts'

const who = () => integer().references(() => users.id)

export const shiftTypes = pgTable(
  'shift_types',
  {
    id: identity('shift_type_id'),
    name: text().notNull(),
    code: text().notNull(),
    /** `22:30`; an end at or before the start is on the next day. */
    startTime: text().notNull(),
    endTime: text().notNull(),
    breakMinutes: integer().notNull().default(0),
    colour: text({ enum: shiftColours }).notNull().default('info'),
    isActive: boolean().notNull().default(true),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('shift_types_unique_name').on(sql`lower(${t.name})`).where(live),
      index('shift_types_start').on(t.startTime, t.id).where(live),
      index('shift_types_created').on(t.createdAt, t.id).where(live),
      index('shift_types_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    ]
  },
)

export const shiftTeams = pgTable(
  'shift_teams',
  {
    id: identity('shift_team_id'),
    name: text().notNull(),
    departmentId: integer()
      .notNull()
      .references(() => departments.id),
    /** First day of this version of the team. It is valid until a later version with the same name begins. */
    date: date().notNull(),
    memberIds: integer().array().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('shift_teams_unique')
      .on(t.departmentId, sql`lower(${t.name})`, t.date)
      .where(sql`${t.deletedAt} is null`),
  ],
)

export const shiftAutomations = pgTable(
  'shift_automations',
  {
    id: identity('shift_automation_id'),
    name: text().notNull(),
    userId: who(),
    teamId: integer().references(() => shiftTeams.id),
    departmentId: integer().references(() => departments.id),
    /** Shift type ids by day; 0 is a free day. */
    pattern: integer().array().notNull(),
    startDate: date().notNull(),
    endDate: date(),
    stagger: integer().notNull().default(0),
    onHoliday: text({ enum: ['work', 'skip'] })
      .notNull()
      .default('work'),
    onLeave: text({ enum: ['work', 'skip'] })
      .notNull()
      .default('skip'),
    status: text({ enum: ['draft', 'published'] })
      .notNull()
      .default('published'),
    weeksAhead: integer().notNull().default(8),
    isActive: boolean().notNull().default(true),
    /** Last day of the latest run. */
    plannedTo: date(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    check('shift_automations_who', sql`num_nonnulls(${t.userId}, ${t.teamId}, ${t.departmentId}) = 1`),
    index('shift_automations_user').on(t.userId).where(sql`${t.deletedAt} is null`),
  ],
)

/** A change of one or more shifts. Created shifts refer to it by batchId, removed ones by removedBatchId. */
export const shiftBatches = pgTable(
  'shift_batches',
  {
    id: identity('shift_batch_id'),
    text: text().notNull(),
    by: text().notNull(),
    made: integer().notNull(),
    removed: integer().notNull(),
    /** Ids of the drafts that this batch published. */
    published: integer().array().notNull().default(sql`'{}'`),
    undoneAt: instant(),
    undoneBy: text(),
    ...stored(),
  },
  (t) => [index('shift_batches_newest').on(t.createdAt, t.id)],
)

/**
 * A shift, with a copy of everything that its duration depends on: later changes of type or settings do not affect past
 * shifts. The exclusion constraint `shifts_apart` prevents overlapping shifts of a person, and a trigger protects
 * closed months. Both are in the migration, because Drizzle cannot express them.
 */
export const shifts = pgTable(
  'shifts',
  {
    id: identity('shift_id'),
    /**
     * Null for an open shift. There are no foreign keys, because rows of people, departments, types and batches are
     * never deleted, and a check for each inserted shift would only cost time.
     */
    userId: integer(),
    departmentId: integer(),
    date: date().notNull(),
    shiftTypeId: integer().notNull(),
    name: text().notNull(),
    code: text().notNull(),
    colour: text({ enum: shiftColours }).notNull(),
    /** Minutes after midnight of `date`; the end may be on the next day. */
    startMinute: integer().notNull(),
    endMinute: integer().notNull(),
    breakMinutes: integer().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    timeZone: text().notNull(),
    nightSteps: integer().notNull(),
    weighted420: integer().notNull(),
    status: text({ enum: shiftStatuses }).notNull(),
    source: text({ enum: shiftSources }).notNull().default('manual'),
    automationId: integer().references(() => shiftAutomations.id),
    /** Changed by a user after the automation created it. */
    edited: boolean().notNull().default(false),
    /** Whether the times differ from those of the type. */
    ownTimes: boolean().notNull().default(false),
    batchId: integer(),
    removedBatchId: integer(),
    /** The approved leave that freed this deleted shift. */
    leaveId: integer(),
    /** The deleted shift of a person on leave that this open shift replaces. */
    replacesId: integer(),
    /** The deleted shift of a person with half a day of leave, of which this shift is the rest. */
    restOfId: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      check(
        'shifts_times',
        sql`${t.startMinute} between 0 and 1439 and ${t.endMinute} > ${t.startMinute} and ${t.endMinute} <= ${t.startMinute} + 1440`,
      ),
      check('shifts_break', sql`${t.breakMinutes} >= 0 and ${t.breakMinutes} < ${t.endMinute} - ${t.startMinute}`),
      check('shifts_open', sql`(${t.userId} is null) = (${t.status} = 'open') or ${t.deletedAt} is not null`),
      // includes deleted shifts: the automation must not create a removed shift again
      unique('shifts_automation').on(t.automationId, t.userId, t.date),
      index('shifts_date').on(t.date, t.id).where(live),
      index('shifts_user').on(t.userId, t.date).where(live),
      index('shifts_department').on(t.departmentId, t.date).where(live),
      index('shifts_type').on(t.shiftTypeId, t.date).where(live),
      index('shifts_batch').on(t.batchId).where(sql`${t.batchId} is not null`),
      index('shifts_leave').on(t.leaveId).where(sql`${t.leaveId} is not null`),
      index('shifts_replaces').on(t.replacesId).where(sql`${t.replacesId} is not null`),
      index('shifts_rest_of').on(t.restOfId).where(sql`${t.restOfId} is not null`),
      index('shifts_removed_batch').on(t.removedBatchId).where(sql`${t.removedBatchId} is not null`),
    ]
  },
)

export const shiftNotes = pgTable(
  'shift_notes',
  {
    id: identity('shift_note_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    date: date().notNull(),
    content: text().notNull(),
    by: text().notNull(),
    ...stored(),
    ...deletable(),
  },
  (t) => [index('shift_notes_date').on(t.date, t.userId, t.id).where(sql`${t.deletedAt} is null`)],
)

/** Minimum staffing by hour of the week; department 0 is the whole organisation. */
export const shiftMinimums = pgTable(
  'shift_minimums',
  {
    departmentId: integer().notNull(),
    minimum: integer().array().notNull(),
    ...stored(),
  },
  (t) => [
    primaryKey({ columns: [t.departmentId] }),
    check('shift_minimums_week', sql`cardinality(${t.minimum}) = 168`),
  ],
)

/** At most one row; without it the defaults of the specification apply (people §9). */
export const shiftSettings = pgTable(
  'shift_settings',
  {
    only: integer().primaryKey().default(1),
    nightFrom: integer().notNull(),
    nightTo: integer().notNull(),
    nightNumerator: integer().notNull(),
    nightDenominator: integer().notNull(),
    dayNormMinutes: integer().notNull(),
    restMinutes: integer().notNull(),
    /** More worked minutes in a week are a warning; 0: no limit. */
    weekMinutes: integer().notNull().default(2880),
    /** More nights in a row are a warning; 0: no limit. */
    nightsInRow: integer().notNull().default(5),
    /** What happens to the published shifts of a person whose leave is approved. */
    onLeave: text({ enum: leaveEffects }).notNull().default('open'),
    /** Next step after a colleague accepts a swap. */
    swaps: text({ enum: swapRules }).notNull().default('approve'),
    ...stored(),
  },
  (t) => [check('shift_settings_one', sql`${t.only} = 1`)],
)

/**
 * A changed type, a changed or removed automation, or changed settings, that the worker still applies to future shifts, some people
 * at a time. The row is deleted with the last of them.
 */
export const shiftFollowings = pgTable(
  'shift_followings',
  {
    id: identity('shift_following_id'),
    /** Without a type and an automation: the settings. */
    shiftTypeId: integer().references(() => shiftTypes.id),
    automationId: integer().references(() => shiftAutomations.id),
    byId: integer().notNull(),
    by: text().notNull(),
    /** The moment of the change: only shifts that begin after this moment are updated. */
    since: instant().notNull(),
    /** People up to this id are done. -1: the open shifts are not done, either. */
    cursor: integer().notNull().default(-1),
    /** Number of shifts that are done. */
    done: integer().notNull().default(0),
    /** Leaves that were charged anew, of which approvers and planners are told at the end. */
    charged: jsonb().$type<Retold[]>().notNull().default([]),
    /** Names of people whose shifts stay as they were, because they would overlap or their times do not exist. */
    stayed: text().array().notNull().default(sql`'{}'`),
    ...stored(),
  },
  (t) => [
    uniqueIndex('shift_followings_one').on(sql`coalesce(${t.shiftTypeId}, 0)`, sql`coalesce(${t.automationId}, 0)`),
  ],
)

/**
 * Swaps, with copies of person, times and status of both shifts as both people saw them. If a shift differs from its
 * copy, the swap is void. There are no foreign keys to shifts, because undoing a plan deletes shifts.
 */
export const shiftSwaps = pgTable(
  'shift_swaps',
  {
    id: identity('shift_swap_id'),
    status: text({ enum: swapStatuses }).notNull().default('offered'),
    fromUserId: integer().notNull(),
    fromShiftId: integer().notNull(),
    fromDate: date().notNull(),
    fromText: text().notNull(),
    fromStartsAt: instant().notNull(),
    fromEndsAt: instant().notNull(),
    /** Null while the shift is offered to everybody of its department who may take it, and nobody has accepted. */
    toUserId: integer(),
    toAll: boolean().notNull().default(false),
    /** Null if the colleague gives no shift in return. */
    toShiftId: integer(),
    toDate: date(),
    toText: text(),
    toStartsAt: instant(),
    toEndsAt: instant(),
    note: text(),
    message: text(),
    decidedBy: text(),
    batchId: integer(),
    ...stored(),
  },
  (t) => {
    const isOpen = sql`${t.status} in ('offered', 'accepted')`
    return [
      uniqueIndex('shift_swaps_open').on(t.fromShiftId).where(isOpen),
      index('shift_swaps_from').on(t.fromUserId, t.id),
      index('shift_swaps_to').on(t.toUserId, t.id),
      index('shift_swaps_updated').on(t.updatedAt, t.id),
    ]
  },
)

export const shiftWishes = pgTable(
  'shift_wishes',
  {
    id: identity('shift_wish_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: wishKinds }).notNull(),
    startDate: date().notNull(),
    endDate: date().notNull(),
    /** 1 is Monday; empty for every day. */
    weekdays: integer().array().notNull(),
    shiftTypeId: integer().references(() => shiftTypes.id),
    note: text(),
    ...stored(),
    ...deletable(),
  },
  (t) => [index('shift_wishes_user').on(t.userId, t.endDate).where(sql`${t.deletedAt} is null`)],
)
