import { actionStatuses } from '@innkeeper/contract/machines/workflows'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { identity, instant } from '../db/columns.ts'

/** A frozen plan of actions on one subject. Only `advance` in workflow.ts changes its state. */
export const workflows = pgTable(
  'workflows',
  {
    id: identity('workflow_id'),
    kind: text().notNull(),
    subjectType: text().notNull(),
    subjectId: integer().notNull(),
    subjectName: text().notNull(),
    status: text({ enum: ['running', 'waiting', 'failed', 'done', 'rolled-back', 'cancelled'] })
      .notNull()
      .default('running'),
    /** Direction: true walks the plan backwards. */
    undo: boolean().notNull().default(false),
    /** No further action starts until somebody resumes the workflow. */
    paused: boolean().notNull().default(false),
    /** The workflow pauses when all actions before this position are done. */
    pauseAt: integer(),
    holder: text().notNull(),
    startedById: integer(),
    /** Idempotency key of the caller: a repeated start returns the same workflow. */
    request: text().unique(),
    startedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
    /** Hidden from the page of its subject by a user. */
    dismissedAt: instant(),
    dismissedBy: text(),
    /** Locks for which the workflow waits in line; null once it has them. */
    queuedFor: text().array(),
    /** `traceparent` of the request that started the workflow, while traces are on. */
    trace: text(),
    version: integer().notNull().default(1),
  },
  (t) => [
    index('workflows_subject').on(t.subjectType, t.subjectId, t.id),
    index('workflows_open').on(t.startedAt, t.id).where(sql`${t.endedAt} is null`),
    index('workflows_queued').on(t.id).where(sql`${t.queuedFor} is not null and ${t.endedAt} is null`),
    index('workflows_started').on(t.startedAt, t.id, t.subjectType),
    index('workflows_search').using('gin', sql`${t.subjectName} gin_trgm_ops`).where(sql`${t.subjectType} = 'website'`),
    index('workflows_written')
      .using('gin', sql`as_written(${t.subjectName}) gin_trgm_ops`)
      .where(sql`${t.subjectType} = 'website' and ${t.subjectName} like '%xn--%'`),
  ],
)

export const resourceLocks = pgTable(
  'resource_locks',
  {
    resource: text().primaryKey(),
    workflowId: integer()
      .notNull()
      .references(() => workflows.id),
    holder: text().notNull(),
  },
  (t) => [index('resource_locks_workflow').on(t.workflowId)],
)

/** The action rows are the queue: claimed with SKIP LOCKED and a lease. Without a server: run by the worker. */
export const actions = pgTable(
  'actions',
  {
    id: bigint('action_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    workflowId: integer()
      .notNull()
      .references(() => workflows.id),
    position: integer().notNull(),
    name: text().notNull(),
    title: text().notNull(),
    what: text().notNull(),
    resourceType: text().notNull(),
    resourceId: integer().notNull(),
    resourceName: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    lane: text({ enum: ['short', 'long', 'read'] }).notNull(),
    serverId: integer(),
    /**
     * Copy of the workflow's direction: after a wait for a lock PostgreSQL reads the locked row again, but not joined
     * rows.
     */
    task: text({ enum: ['run', 'undo'] })
      .notNull()
      .default('run'),
    status: text({ enum: actionStatuses }).notNull().default('pending'),
    attempt: integer().notNull().default(0),
    leaseUntil: instant(),
    output: jsonb(),
    reason: text(),
    readyAt: instant(),
    startedAt: instant(),
    endedAt: instant(),
  },
  (t) => [
    unique('actions_position').on(t.workflowId, t.position),
    check('actions_lease', sql`(${t.status} = 'running') = (${t.leaseUntil} is not null)`),
    check(
      'actions_reason',
      sql`${t.reason} is not null or ${t.status} not in ('failed', 'skipped', 'blocked', 'unknown')`,
    ),
    index('actions_queue')
      .on(sql`coalesce(${t.serverId}, 0)`, t.lane, t.id)
      .where(sql`${t.status} in ('ready', 'unknown')`),
    index('actions_leases').on(t.leaseUntil).where(sql`${t.status} = 'running'`),
    index('actions_resource').on(t.resourceType, t.resourceId, t.id),
    index('actions_status').on(t.status, t.id),
    uniqueIndex('actions_one_at_a_time')
      .on(t.workflowId)
      .where(sql`${t.status} in ('ready', 'running', 'failed', 'blocked', 'unknown')`),
  ],
)

/**
 * The newest action of website workflows per resource, written in the transaction of the workflow, so that lists of
 * resources need not search the history.
 */
export const latestActions = pgTable(
  'latest_actions',
  {
    resourceType: text().notNull(),
    resourceId: integer().notNull(),
    actionId: bigint({ mode: 'number' })
      .notNull()
      .references(() => actions.id),
    workflowId: integer()
      .notNull()
      .references(() => workflows.id),
    websiteId: integer().notNull(),
    serverId: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.resourceType, t.resourceId] }),
    uniqueIndex('latest_actions_action').on(t.actionId),
    index('latest_actions_workflow').on(t.workflowId),
    index('latest_actions_type').on(t.resourceType, t.actionId),
    index('latest_actions_server').on(t.serverId, t.actionId),
  ],
)

/** Number of claims per server and lane: only the newest claim gets work, on any node. */
export const agentCalls = pgTable(
  'agent_calls',
  {
    serverId: integer().notNull(),
    lane: text({ enum: ['short', 'long', 'read'] }).notNull(),
    call: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.serverId, t.lane] })],
)

/** At most 256 chunks of 4,096 characters (1 MiB) per attempt. */
export const actionOutputs = pgTable(
  'action_outputs',
  {
    actionId: bigint({ mode: 'number' })
      .notNull()
      .references(() => actions.id),
    attempt: integer().notNull(),
    seq: integer().notNull(),
    at: instant().notNull(),
    text: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.actionId, t.attempt, t.seq] }),
    check('action_outputs_size', sql`${t.seq} < 256 and length(${t.text}) <= 4096`),
    index('action_outputs_at').on(t.at),
  ],
)
