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
import { identity, instant } from './columns.ts'

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

/** Who did what, written in the doer's transaction; never changed, never deleted (a trigger holds that). */
export const actionLogs = pgTable(
  'action_logs',
  {
    id: bigint('action_log_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant().notNull().default(sql`now()`),
    staffId: integer(),
    staffName: text().notNull(),
    service: text().notNull(),
    action: text().notNull(),
    resource: text(),
    resourceId: text(),
    /** What people called it then. */
    subject: text(),
    result: text({ enum: ['success', 'failed', 'denied'] }).notNull(),
    before: jsonb(),
    after: jsonb(),
    workflowId: integer(),
    ip: text(),
    requestId: text(),
  },
  (t) => [
    index('action_logs_at').on(t.at, t.id),
    index('action_logs_staff').on(t.staffId, t.at, t.id),
    index('action_logs_service').on(t.service, t.at, t.id),
    index('action_logs_action').on(t.action, t.at, t.id),
    index('action_logs_resource').on(t.resource, t.at, t.id),
    index('action_logs_thing').on(t.resourceId, t.resource, t.at, t.id),
    index('action_logs_ip').on(t.ip, t.at, t.id),
    index('action_logs_workflow').on(t.workflowId).where(sql`${t.workflowId} is not null`),
    index('action_logs_result').on(t.result, t.at, t.id).where(sql`${t.result} <> 'success'`),
    index('action_logs_request').on(t.requestId).where(sql`${t.result} <> 'success'`),
    // filters that are common alone and hardly ever meet; small batches, so that no writer waits long for its turn
    index('action_logs_met')
      .using('gin', t.staffId, t.service, t.action, t.resource, t.result, t.ip)
      .with({ gin_pending_list_limit: 512 }),
    index('action_logs_search')
      .using('gin', sql`lower(${t.subject}) gin_trgm_ops`)
      .with({ gin_pending_list_limit: 512 }),
    index('action_logs_begin').on(sql`lower(${t.subject}) text_pattern_ops`),
  ],
)

/** The chain over the log: hash of the row and of the seal before it. A row without one is not sealed yet. */
export const actionLogSeals = pgTable('action_log_seals', {
  position: bigint({ mode: 'number' }).primaryKey(),
  actionLogId: bigint({ mode: 'number' })
    .notNull()
    .unique()
    .references(() => actionLogs.id),
  hash: text().notNull(),
})

/** Walks over the chain. The one without an end is under way, a batch at a time, in whichever worker is first. */
export const actionLogChecks = pgTable('action_log_checks', {
  id: identity('action_log_check_id'),
  startedAt: instant().notNull().default(sql`now()`),
  startedBy: text().notNull(),
  whole: boolean().notNull(),
  /** Seals: begun behind, walked to, and to be walked to. */
  behind: bigint({ mode: 'number' }).notNull(),
  position: bigint({ mode: 'number' }).notNull(),
  upTo: bigint({ mode: 'number' }).notNull(),
  /** Of the seal at `position`: what the next one has to begin with. */
  hash: text().notNull(),
  endedAt: instant(),
  brokenPosition: bigint({ mode: 'number' }),
  brokenRowId: bigint({ mode: 'number' }),
  brokenReason: text({ enum: ['altered', 'missing'] }),
})

/** AES-256-GCM under INNKEEPER_KEY; the name is the additional data. */
export const secrets = pgTable('secrets', {
  name: text().primaryKey(),
  sealed: text().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
})

/** One file in storage. Its row is there before its first byte and goes after its last; see blobs.ts. */
export const blobs = pgTable(
  'blobs',
  {
    key: text().primaryKey(),
    /** `arriving` until the call that brought it succeeded; `gone` as soon as nothing refers to it. */
    state: text({ enum: ['arriving', 'kept', 'gone'] })
      .notNull()
      .default('arriving'),
    name: text().notNull(),
    type: text().notNull(),
    size: bigint({ mode: 'number' }).notNull().default(0),
    sha256: text().notNull().default(''),
    /** Whoever has its address may read it: avatars. */
    open: boolean().notNull().default(false),
    createdAt: instant().notNull().default(sql`now()`),
    touchedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [index('blobs_leaving').on(t.touchedAt).where(sql`${t.state} <> 'kept'`)],
)
