import { colours, kinds, queueModes, scopesOfUse } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'

const usedFor = () => text({ enum: scopesOfUse }).notNull().default('all')
const colour = () => text({ enum: colours }).notNull().default('secondary')

export const qcTags = pgTable(
  'qc_tags',
  {
    id: identity('qc_tag_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    colour: colour(),
    usedFor: usedFor(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('qc_tags_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`)],
)

export const qcScoreGrades = pgTable(
  'qc_score_grades',
  {
    id: identity('qc_score_grade_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** 0 to 100. */
    value: integer().notNull(),
    colour: colour(),
    needsComment: boolean().notNull().default(false),
    position: integer().notNull().default(0),
    isActive: boolean().notNull().default(true),
    ...stored(),
  },
  (t) => [uniqueIndex('qc_score_grades_unique_name').on(sql`lower(${t.name})`)],
)

export const qcScoreTypes = pgTable(
  'qc_score_types',
  {
    id: identity('qc_score_type_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    weight: integer().notNull(),
    isCritical: boolean().notNull().default(false),
    mayBeNA: boolean('may_be_na').notNull().default(true),
    usedFor: usedFor(),
    position: integer().notNull().default(0),
    isActive: boolean().notNull().default(true),
    /** Offered grades in their order. */
    gradeIds: integer().array().notNull(),
    ...stored(),
  },
  (t) => [uniqueIndex('qc_score_types_unique_name').on(sql`lower(${t.name})`)],
)

/** One row for each kind; none while the defaults apply. */
export const qcQueueSettings = pgTable('qc_queue_settings', {
  kind: text({ enum: kinds }).primaryKey(),
  version: integer().notNull().default(1),
  mode: text({ enum: queueModes }).notNull(),
  quota: integer().notNull(),
  period: text({ enum: ['day', 'week', 'month'] }).notNull(),
  minMessages: integer().notNull(),
  newFactor: doublePrecision().notNull(),
  lowFactor: doublePrecision().notNull(),
  lowScore: integer().notNull(),
  leaseMinutes: integer().notNull(),
  postponeDays: integer().notNull(),
  disputeDays: integer().notNull(),
  minimumN: integer().notNull(),
  answerDays: integer().notNull().default(7),
  /** Days after which customers’ data is redacted; null: never. */
  retentionDays: integer(),
})

export const qcCronFilters = pgTable(
  'qc_cron_filters',
  {
    id: identity('qc_cron_filter_id'),
    name: text().notNull(),
    value: text().notNull(),
    isActive: boolean().notNull().default(true),
    everyMinutes: integer().notNull().default(60),
    perAgent: integer(),
    lastRunAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('qc_cron_filters_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`)],
)

export const qcCronRuns = pgTable(
  'qc_cron_runs',
  {
    id: identity('qc_cron_run_id'),
    filterId: integer()
      .notNull()
      .references(() => qcCronFilters.id),
    at: instant().notNull().default(sql`now()`),
    matched: integer().notNull(),
    queued: integer().notNull(),
    capped: integer().notNull(),
    error: text(),
  },
  (t) => [index('qc_cron_runs_of_filter').on(t.filterId, t.id)],
)
