import * as z from 'zod'
import { csv, filter, get, id, instant, listQuery, pageOf, whole } from '../../kit/endpoint.ts'
import { Person } from './shapes.ts'
import { day, kind, population } from './values.ts'

const filters = {
  from: filter(day),
  to: filter(day),
  kind: filter(kind),
  agent: filter(csv(id)),
  department: filter(csv(id)),
  reviewer: filter(csv(id)),
  scoreType: filter(csv(id)),
  population: filter(csv(population)),
}
/** v1 supports only a time span. */
const span = { from: filter(z.union([day, instant])), to: filter(z.union([day, instant])) }

/** Number, mean and spread (sample standard deviation) of scores. N/A is left out of means. */
const Figures = z.object({
  n: z.int(),
  mean: z.number().nullable(),
  spread: z.number().nullable(),
})
export const Overall = z.object({
  ...Figures.shape,
  /** Number of reviews in which every score is N/A, so that they have no score. */
  withoutScore: z.int(),
  failed: z.int(),
  /** Agents with fewer reviews are not ranked. */
  minimumN: z.int(),
  periods: z.array(z.object({ period: z.string(), ...Figures.shape })),
  /** Means per score type. They differ from the mean of reviews, in which weights and critical types count. */
  types: z.array(z.object({ typeId: z.int(), typeName: z.string(), notApplicable: z.int(), ...Figures.shape })),
  populations: z.array(z.object({ population, ...Figures.shape })),
  /** Departments of the agents on the day of the conversation; null: none. The one with most reviews first. */
  departments: z.array(
    z.object({ department: z.object({ id: z.int(), name: z.string() }).nullable(), ...Figures.shape }),
  ),
  reviewers: z.array(
    z.object({
      reviewer: Person,
      ...Figures.shape,
      /** The person's mean minus the mean of all. */
      severity: z.number().nullable(),
      /**
       * In calibrations: number of grades, and their mean distance from the mean of the others. Null: no grades to
       * compare.
       */
      agreement: z.object({ n: z.int(), distance: z.number() }).nullable(),
    }),
  ),
  /** Number of reviews by score: 0–9, 10–19, … 90–100. */
  histogram: z.array(z.int()),
})
export type Overall = z.output<typeof Overall>

export const UserFigures = z.object({
  agent: Person,
  departmentName: z.string().nullable(),
  ...Figures.shape,
  failed: z.int(),
  /** Null for people with fewer reviews than the minimum. */
  rank: z.int().nullable(),
})
export type UserFigures = z.output<typeof UserFigures>

/** Ratings of customers beside scores of reviews. Only conversations with both compare them. */
const Satisfaction = z.object({
  /** Conversations with a rating, and their mean rating. */
  rated: z.int(),
  csat: z.number().nullable(),
  /** Conversations with a rating and a score, with the means of both. */
  both: z.int(),
  csatOfBoth: z.number().nullable(),
  scoreOfBoth: z.number().nullable(),
})
export const Ratings = z.object({
  ...Satisfaction.shape,
  /** By week of the last message; `period` is its Monday. */
  periods: z.array(z.object({ period: z.string(), ...Satisfaction.shape })),
  /** Main teams of the agents on the day of the conversation; null: none. */
  teams: z.array(z.object({ team: Person.nullable(), n: z.int(), mean: z.number().nullable(), ...Satisfaction.shape })),
})
export type Ratings = z.output<typeof Ratings>

const users = z.object({ items: z.array(UserFigures), total: z.int(), minimumN: z.int() })
const ofUser = z.object({ agent: Person, ...Overall.shape })

const access = 'qa:statistics:read'

export const ReviewLine = z.object({
  id: z.int(),
  conversationId: z.int(),
  kind,
  externalId: z.string(),
  subject: z.string(),
  agent: Person,
  reviewer: Person,
  population,
  score: z.number().nullable(),
  isFailed: z.boolean(),
  submittedAt: instant,
  deletedAt: instant.nullable(),
})
export type ReviewLine = z.output<typeof ReviewLine>

export const qcStatistics = {
  reviews: get('/qa-statistics-v2/statistics/reviews', access, {
    summary: 'The reviews behind a figure',
    query: {
      ...listQuery(['submittedAt']),
      ...filters,
      scoreFrom: filter(whole(0, 100)),
      /** Exclusive, so that 80 to 90 is one bar; 101 includes 100. */
      scoreBelow: filter(whole(0, 101)),
      failed: filter(z.enum(['true'])),
      /** Deleted reviews instead of the others, for callers who may restore them. */
      deletedOnly: filter(z.enum(['true'])),
    },
    returns: pageOf(ReviewLine),
  }),
  overall: get('/qa-statistics-v2/statistics/overall', access, {
    summary: 'Figures of all matching reviews',
    query: filters,
    returns: Overall,
  }),
  users: get('/qa-statistics-v2/statistics/users', access, {
    summary: 'Figures per agent, ranked from a minimum number of reviews',
    query: filters,
    returns: users,
    aliases: ['/qa-statistics-v2/users'],
  }),
  user: get('/qa-statistics-v2/statistics/users/:id', access, {
    summary: 'Figures of one agent',
    query: filters,
    returns: ofUser,
  }),
  ratings: get('/qa-statistics-v2/statistics/ratings', access, {
    summary: 'Ratings of customers beside scores, by week and by team',
    query: {
      from: filters.from,
      to: filters.to,
      kind: filters.kind,
      agent: filters.agent,
      department: filters.department,
    },
    returns: Ratings,
  }),
  statistic: get('/qa-statistics/statistic', access, {
    summary: 'Figures of a time span',
    query: span,
    returns: Overall,
  }),
  statisticOfAgent: get('/qa-statistics/statistic/agent/:id', access, {
    summary: 'Figures of one agent in a time span',
    query: span,
    returns: ofUser,
  }),
}
