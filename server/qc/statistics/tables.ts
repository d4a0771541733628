import { kinds, populations } from '@innkeeper/contract/qc/values'
import { date, doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../../kit/db/columns.ts'

/** Weeks (their Mondays) whose reviews are summed up below. A change of a review takes its week out. */
export const qcSummedWeeks = pgTable('qc_summed_weeks', {
  week: date().primaryKey(),
  at: instant().notNull(),
})

/** Days whose scores are summed up, so that a span that begins or ends inside a week reads few reviews. */
export const qcSummedDays = pgTable('qc_summed_days', {
  day: date().primaryKey(),
  at: instant().notNull(),
})

const n = () => integer().notNull()
const sum = () => doublePrecision().notNull()
/** What figures are grouped by. Department 0: none. */
const group = () => ({
  kind: text({ enum: kinds }).notNull(),
  population: text({ enum: populations }).notNull(),
  departmentId: n(),
})

/** Reviews of a week per agent, and once more per reviewer. */
export const qcWeekReviews = pgTable(
  'qc_week_reviews',
  {
    week: date().notNull(),
    ...group(),
    by: text({ enum: ['agent', 'reviewer'] }).notNull(),
    personId: n(),
    ...{ n: n(), sum: sum(), squares: sum(), withoutScore: n(), failed: n() },
    /** Number of scores 0–9, 10–19, … 90–100. */
    ...{ h0: n(), h1: n(), h2: n(), h3: n(), h4: n(), h5: n(), h6: n(), h7: n(), h8: n(), h9: n() },
  },
  (t) => [primaryKey({ columns: [t.by, t.week, t.kind, t.population, t.departmentId, t.personId] })],
)

const ofType = () => ({ typeId: n(), typeName: text().notNull(), position: n() })
const scores = () => ({ n: n(), sum: sum(), squares: sum(), notApplicable: n() })

/** Scores of a week per score type: of all (person 0), per agent, and per reviewer. */
export const qcWeekScores = pgTable(
  'qc_week_scores',
  {
    week: date().notNull(),
    ...group(),
    by: text({ enum: ['all', 'agent', 'reviewer'] }).notNull(),
    personId: n(),
    ...ofType(),
    ...scores(),
  },
  (t) => [
    primaryKey({
      name: 'qc_week_scores_pk',
      columns: [t.by, t.kind, t.population, t.personId, t.week, t.typeId, t.departmentId],
    }),
  ],
)

/** The same of all kinds, populations and departments together, per agent and per reviewer. */
export const qcWeekTotals = pgTable(
  'qc_week_totals',
  {
    week: date().notNull(),
    by: text({ enum: ['agent', 'reviewer'] }).notNull(),
    personId: n(),
    ...ofType(),
    ...scores(),
  },
  (t) => [primaryKey({ columns: [t.by, t.personId, t.week, t.typeId] })],
)

/** Scores of a day per score type. */
export const qcDayScores = pgTable(
  'qc_day_scores',
  { day: date().notNull(), ...group(), ...ofType(), ...scores() },
  (t) => [primaryKey({ columns: [t.day, t.typeId, t.kind, t.population, t.departmentId] })],
)
