import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
} from '../../kit/endpoint.ts'
import { Person } from './shapes.ts'
import { colour, flag, kind, position, prose, queueModes, usedFor } from './values.ts'

export const Tag = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  colour,
  usedFor,
  /** Number of conversations and reviews with this tag. */
  uses: z.int(),
})
export type Tag = z.output<typeof Tag>

const tagFields = {
  name: line(60),
  description: prose(500).optional(),
  colour: colour.optional(),
  usedFor: usedFor.optional(),
}

/** Calls of tags under a base path: v1 and v2 have the same. */
export const tagCalls = <const B extends string>(base: B) => ({
  tags: get(`${base}/tags`, 'qa:tag:read', {
    summary: 'Tags',
    query: { ...listQuery(['name', 'createdAt']), search: filter(z.string().trim().max(60)), usedFor: filter(usedFor) },
    returns: pageOf(Tag),
  }),
  allTags: get(`${base}/tags/all`, 'qa:tag:read', {
    summary: 'All tags without pages, for choices',
    query: { usedFor: filter(kind) },
    returns: z.object({ items: z.array(Tag), total: z.int() }),
  }),
  tag: get(`${base}/tags/:id`, 'qa:tag:read', { summary: 'One tag', returns: Tag }),
  createTag: post(`${base}/tags`, 'qa:tag:create', { summary: 'Create a tag', body: tagFields, returns: Tag }),
  updateTag: patch(`${base}/tags/:id`, 'qa:tag:update', {
    summary: 'Change a tag',
    body: { ...tagFields, name: tagFields.name.optional(), version },
    returns: Tag,
  }),
  removeTag: del(`${base}/tags/:id`, 'qa:tag:delete', {
    summary: 'Delete a tag. Conversations and reviews that have the tag keep it',
    body: { version },
    status: 204,
  }),
})

export const ScoreGrade = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  /** Value from 0 to 100. */
  value: z.int(),
  colour,
  /** True: a score with this grade needs a comment. */
  needsComment: z.boolean(),
  position: z.int(),
  isActive: z.boolean(),
  /** Number of score types that offer the grade. */
  types: z.int(),
  /** Number of past scores with the grade. They keep the name and value of their time. */
  scores: z.int(),
})
export type ScoreGrade = z.output<typeof ScoreGrade>

const gradeFields = {
  name: line(60),
  description: prose(500).optional(),
  value: z.int().min(0).max(100),
  colour: colour.optional(),
  needsComment: z.boolean().optional(),
  position: position.optional(),
  isActive: z.boolean().optional(),
}
const settingsList = {
  ...listQuery(['position', 'name', 'createdAt'], 50),
  search: filter(z.string().trim().max(60)),
  isActive: filter(z.enum(['true', 'false'])),
}

export const gradeCalls = <const B extends string>(path: B) => ({
  grades: get(path, 'qa:score-grade:read', {
    summary: 'Score grades',
    query: settingsList,
    returns: pageOf(ScoreGrade),
  }),
  grade: get(`${path}/:id`, 'qa:score-grade:read', { summary: 'One score grade', returns: ScoreGrade }),
  createGrade: post(path, 'qa:score-grade:create', {
    summary: 'Create a score grade',
    body: gradeFields,
    returns: ScoreGrade,
  }),
  updateGrade: patch(`${path}/:id`, 'qa:score-grade:update', {
    summary: 'Change a score grade. Past scores keep their value',
    body: { ...gradeFields, name: gradeFields.name.optional(), value: gradeFields.value.optional(), version },
    returns: ScoreGrade,
  }),
})

export const ScoreType = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  /** Weight of the score relative to the other types. With 0, only a critical type has an effect. */
  weight: z.int(),
  /** True: the lowest grade (0) makes the score of the whole review 0. */
  isCritical: z.boolean(),
  mayBeNA: z.boolean(),
  usedFor,
  position: z.int(),
  isActive: z.boolean(),
  /** Offered grades in their order. */
  gradeIds: z.array(z.int()),
  /** Number of past scores of the type. They keep the name and weight of their time. */
  scores: z.int(),
})
export type ScoreType = z.output<typeof ScoreType>

const typeFields = {
  name: line(80),
  description: prose(1000).optional(),
  weight: z.int().min(0).max(100),
  isCritical: z.boolean().optional(),
  mayBeNA: z.boolean().optional(),
  usedFor: usedFor.optional(),
  position: position.optional(),
  isActive: z.boolean().optional(),
  gradeIds: z.array(id).min(2, 'At least two grades').max(9, 'At most nine grades'),
}

export const typeCalls = <const B extends string>(path: B) => ({
  types: get(path, 'qa:score-type:read', { summary: 'Score types', query: settingsList, returns: pageOf(ScoreType) }),
  type: get(`${path}/:id`, 'qa:score-type:read', { summary: 'One score type', returns: ScoreType }),
  createType: post(path, 'qa:score-type:create', {
    summary: 'Create a score type',
    body: typeFields,
    returns: ScoreType,
  }),
  updateType: patch(`${path}/:id`, 'qa:score-type:update', {
    summary: 'Change a score type. Past scores keep their weight',
    body: {
      ...typeFields,
      name: typeFields.name.optional(),
      weight: typeFields.weight.optional(),
      gradeIds: typeFields.gradeIds.optional(),
      version,
    },
    returns: ScoreType,
  }),
})

export const QueueSettings = z.object({
  kind,
  version: z.int(),
  /**
   * `everything` queues each conversation that is long enough; `sample` draws a quota per agent and period, after each day
   * of the organisation has ended; `checks` draws those that failed the most automatic checks.
   */
  mode: z.enum(queueModes),
  /** Sampled conversations per agent and period. */
  quota: z.int(),
  period: z.enum(['day', 'week', 'month']),
  minMessages: z.int(),
  /** Factors by which the quota rises for agents without reviews, and for agents with a low mean. */
  newFactor: z.number(),
  lowFactor: z.number(),
  /** A mean below this value counts as low. */
  lowScore: z.int(),
  leaseMinutes: z.int(),
  /** Days after which a postponed review is offered to everybody again. */
  postponeDays: z.int(),
  /** Days in which an agent may dispute a review. */
  disputeDays: z.int(),
  /** Minimum number of reviews for a rank in statistics. */
  minimumN: z.int(),
  /** Days within which somebody must decide a dispute. */
  answerDays: z.int(),
  /** Days after the last message until the customer’s name, address and words are removed; null: never. */
  retentionDays: z.int().nullable(),
})
export type QueueSettings = z.output<typeof QueueSettings>

/** The conversations of one agent that were drawn for a day. */
export const Draw = z.object({
  id: z.int(),
  kind,
  day: z.iso.date(),
  /** First day of the period whose quota the draw fills. */
  periodStart: z.iso.date(),
  drawnAt: instant,
  agent: Person,
  /** Quota of the agent in the period, with the factors of that day. */
  quota: z.int(),
  /** Number of conversations that were to be drawn: of a sample, the same share on each day and the rest on the last one. */
  due: z.int(),
  /** The first `due` of `poolIds`, in the order of the hexadecimal `md5(seed + ':' + id)`, are drawn. */
  seed: z.string(),
  poolIds: z.array(z.int()),
  drawnIds: z.array(z.int()),
})
export type Draw = z.output<typeof Draw>

export const CronFilter = z.object({
  ...stored,
  name: z.string(),
  /** The filter: `csat<=2 messages>=4 source:help-desk refund`. */
  value: z.string(),
  isActive: z.boolean(),
  everyMinutes: z.int(),
  /** At most this many tickets of one agent in each period of the ticket queue. */
  perAgent: z.int().nullable(),
  lastRunAt: instant.nullable(),
  /** Number of tickets that match now and are not queued. */
  wouldMatch: z.int(),
  runs: z.array(
    z.object({
      id: z.int(),
      at: instant,
      matched: z.int(),
      queued: z.int(),
      /** Number of tickets left out because of `perAgent`. */
      capped: z.int(),
      error: z.string().nullable(),
    }),
  ),
})
export type CronFilter = z.output<typeof CronFilter>

const cronFields = {
  name: line(80).optional(),
  value: line(500),
  isActive: flag.optional(),
  everyMinutes: z.int().min(5).max(10_080).optional(),
  perAgent: z.int().min(1).max(1000).nullable().optional(),
}

/** Filters that queue tickets: v1 under /ticket-controller/cron, v2 under /ticket-controller-v2/cron-config. */
export const cronCalls = <const B extends string>(path: B) => ({
  cronFilters: get(path, 'qa:cron:read', {
    summary: 'Ticket cron filters',
    query: { ...listQuery(['name', 'createdAt']), search: filter(z.string().trim().max(80)) },
    returns: pageOf(CronFilter),
  }),
  createCronFilter: post(path, 'qa:cron:create', {
    summary: 'Create a ticket cron filter',
    body: cronFields,
    returns: CronFilter,
  }),
  cronFilter: get(`${path}/:id`, 'qa:cron:read', {
    summary: 'One ticket cron filter with its last runs',
    returns: CronFilter,
  }),
  updateCronFilter: patch(`${path}/:id`, 'qa:cron:update', {
    summary: 'Change a ticket cron filter',
    body: { ...cronFields, value: cronFields.value.optional(), version },
    returns: CronFilter,
  }),
  removeCronFilter: del(`${path}/:id`, 'qa:cron:delete', {
    summary: 'Delete a ticket cron filter. Tickets that it queued stay queued',
    body: { version },
    status: 204,
  }),
})

const queueFields = {
  mode: z.enum(queueModes).optional(),
  quota: z.int().min(1).max(1000).optional(),
  period: z.enum(['day', 'week', 'month']).optional(),
  minMessages: z.int().min(1).max(1000).optional(),
  newFactor: z.number().min(1).max(5).optional(),
  lowFactor: z.number().min(1).max(5).optional(),
  lowScore: z.int().min(0).max(100).optional(),
  leaseMinutes: z.int().min(5).max(240).optional(),
  postponeDays: z.int().min(1).max(90).optional(),
  disputeDays: z.int().min(1).max(365).optional(),
  minimumN: z.int().min(1).max(1000).optional(),
  answerDays: z.int().min(1).max(90).optional(),
  retentionDays: z.int().min(30).max(3650).nullable().optional(),
}

const v2 = '/qa-controller-v2'

/** Settings under /qa-controller-v2. The specification has no path for these calls. */
export const qcSettings = {
  ...tagCalls(v2),
  ...gradeCalls(`${v2}/score/grades`),
  ...typeCalls(`${v2}/score/types`),
  queue: get(`${v2}/queue-settings`, 'qa:chat-queue:settings', {
    summary: 'How conversations of a kind get into the queue',
    query: { kind: filter(kind) },
    returns: QueueSettings,
  }),
  updateQueue: patch(`${v2}/queue-settings`, 'qa:chat-queue:settings', {
    summary: 'Change how conversations of a kind get into the queue',
    body: { kind: kind.optional(), ...queueFields, version },
    returns: QueueSettings,
  }),
  draws: get(`${v2}/queue-draws`, 'qa:chat-queue:settings', {
    summary: 'Draws of samples: what was drawn from what, the latest day first',
    query: { ...listQuery(['day']), kind: filter(kind), agent: filter(csv(id)) },
    returns: pageOf(Draw),
  }),
  previewCron: get(`${v2}/cron-preview`, 'qa:cron:read', {
    summary: 'How many tickets a filter would match now, with the first of them',
    query: { value: line(500) },
    returns: z.object({
      /** Why the filter is invalid; null if it is valid. */
      problem: z.string().nullable(),
      total: z.int(),
      more: z.boolean(),
      first: z.array(z.object({ id: z.int(), externalId: z.string(), subject: z.string(), lastAt: instant })),
    }),
  }),
}

export const qcCron = cronCalls('/ticket-controller/cron')
