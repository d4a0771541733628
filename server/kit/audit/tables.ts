import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant } from '../db/columns.ts'

/** The action log. Rows are written in the transaction of the call; a trigger prevents updates and deletes. */
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
    /** Display name of the resource at that time. */
    subject: text(),
    result: text({ enum: ['success', 'failed', 'denied'] }).notNull(),
    before: jsonb(),
    after: jsonb(),
    workflowId: integer(),
    ip: text(),
    requestId: text(),
    /**
     * The website that the resource is or belongs to, so that a website's page finds what happened to its databases and
     * backups, too. Derived, so that no seal covers it. Null in rows before migration 0132.
     */
    websiteId: integer(),
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
    index('action_logs_website').on(t.websiteId, t.at, t.id).where(sql`${t.websiteId} is not null`),
    index('action_logs_request').on(t.requestId).where(sql`${t.result} <> 'success'`),
    // for combined filters that rarely match together; a small pending list, so that its flush does not delay a writer
    index('action_logs_met')
      .using('gin', t.staffId, t.service, t.action, t.resource, t.result, t.ip)
      .with({ gin_pending_list_limit: 512 }),
    index('action_logs_search')
      .using('gin', sql`lower(${t.subject}) gin_trgm_ops`)
      .with({ gin_pending_list_limit: 512 }),
    index('action_logs_begin').on(sql`lower(${t.subject}) text_pattern_ops`),
  ],
)

/** The hash chain over the log: hash of the row and the previous seal. A row without a seal is not sealed yet. */
export const actionLogSeals = pgTable('action_log_seals', {
  position: bigint({ mode: 'number' }).primaryKey(),
  actionLogId: bigint({ mode: 'number' })
    .notNull()
    .unique()
    .references(() => actionLogs.id),
  hash: text().notNull(),
})

/**
 * Rows whose words were removed after they had been sealed (decision 118). `rest` is the hash of the row as it is now.
 * `recordId` is the sealed row of the log that tells of the removal and has the hash of these rests.
 */
export const actionLogCuts = pgTable(
  'action_log_cuts',
  {
    actionLogId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => actionLogs.id),
    recordId: bigint({ mode: 'number' })
      .notNull()
      .references(() => actionLogs.id),
    rest: text().notNull(),
  },
  (t) => [index('action_log_cuts_record').on(t.recordId, t.actionLogId)],
)

/** Verifications of the chain. The one without `endedAt` is running, one batch at a time, in one worker. */
export const actionLogChecks = pgTable('action_log_checks', {
  id: identity('action_log_check_id'),
  startedAt: instant().notNull().default(sql`now()`),
  startedBy: text().notNull(),
  whole: boolean().notNull(),
  /** Positions of seals: start, current and end of the verification. */
  behind: bigint({ mode: 'number' }).notNull(),
  position: bigint({ mode: 'number' }).notNull(),
  upTo: bigint({ mode: 'number' }).notNull(),
  /** Hash of the seal at `position`, with which the next seal has to start. */
  hash: text().notNull(),
  endedAt: instant(),
  brokenPosition: bigint({ mode: 'number' }),
  brokenRowId: bigint({ mode: 'number' }),
  brokenReason: text({ enum: ['altered', 'missing'] }),
})
