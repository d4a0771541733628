import { actionStatuses } from '@innkeeper/contract/workflows'
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

/** A frozen plan of actions on one subject. Moved by `advance` in workflow.ts alone. */
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
    /** Nothing more of it begins until somebody has it go on. */
    paused: boolean().notNull().default(false),
    /** It pauses by itself once all before this position is done. */
    pauseAt: integer(),
    holder: text().notNull(),
    startedById: integer(),
    /** The caller's own key: a repeated start is the same start. */
    request: text().unique(),
    startedAt: instant().notNull().default(sql`now()`),
    endedAt: instant(),
    /** Taken off its subject's page by somebody. */
    dismissedAt: instant(),
    dismissedBy: text(),
    version: integer().notNull().default(1),
  },
  (t) => [
    index('workflows_subject').on(t.subjectType, t.subjectId, t.id),
    index('workflows_open').on(t.startedAt, t.id).where(sql`${t.endedAt} is null`),
    index('workflows_started').on(t.startedAt, t.id),
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

/** The action row is the queue: claimed with SKIP LOCKED and a lease. No server: run by our own worker. */
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
    /** Stands here, not read from the workflow: after a wait for a lock the locked row is read anew, joined ones are not. */
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
 * What workflows of websites did last to each resource, written with the workflow that has it: lists of resources look here,
 * not through all history.
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

/** How often a server's agent has asked for work of a lane: it goes to the newest call alone, whichever node has it. */
export const agentCalls = pgTable(
  'agent_calls',
  {
    serverId: integer().notNull(),
    lane: text({ enum: ['short', 'long', 'read'] }).notNull(),
    call: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.serverId, t.lane] })],
)

/** At most 256 chunks of 4,096 characters, 1 MiB, an attempt. */
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
