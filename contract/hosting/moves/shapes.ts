import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { WorkflowWithActions } from '../../machines/workflows.ts'

export const migrationType = z.enum(['website', 'group'])
/** `soaking` is the observation period: the new server serves, the old one redirects and keeps all data. */
export const migrationStatus = z.enum(['waiting', 'running', 'paused', 'failed', 'soaking', 'done', 'rolled-back'])
export type MigrationStatus = z.output<typeof migrationStatus>
/** Steps of a move, in this order. Between `freeze` and `proxy` visitors see the page about the move. */
export const phases = [
  'preflight',
  'prepare',
  'seed',
  'freeze',
  'delta',
  'databases',
  'verify',
  'cutover',
  'proxy',
  'soak',
  'retire',
] as const
export const phase = z.enum(phases)
export type Phase = z.output<typeof phase>
/** A finding of the preflight. A blocker prevents the start. */
export const Finding = z.object({
  key: z.string(),
  title: z.string(),
  level: z.enum(['ok', 'warning', 'blocker']),
  text: z.string(),
})
export type Finding = z.output<typeof Finding>
/** Result of one moved part: what the destination counted and compared. */
export const ReportLine = z.object({
  type: z.string(),
  name: z.string(),
  result: z.enum(['same', 'differs', 'done']),
  detail: z.string(),
})
export type ReportLine = z.output<typeof ReportLine>

export const Migration = z.object({
  ...stored,
  type: migrationType,
  /** The group's move that contains this move, and its position there. */
  parentId: z.int().nullable(),
  position: z.int().nullable(),
  /** The move that this move rolls back. */
  reverseOf: z.int().nullable(),
  /** Main website of a group's move. */
  domain: z.string(),
  sourceWebsiteId: z.int(),
  sourceGroupId: z.int().nullable(),
  sourceServerId: z.int(),
  sourceServerName: z.string(),
  targetServerId: z.int(),
  targetServerName: z.string(),
  targetGroupId: z.int().nullable(),
  targetWebsiteId: z.int().nullable(),
  status: migrationStatus,
  phase,
  /** Finished and total: actions of a website's move, or members of a group's move. */
  done: z.int(),
  count: z.int(),
  /**
   * Duration of the freeze in ms: from the first moment when visitors may have seen the page about the move to the
   * first page that the new server served.
   */
  freezeMs: z.int().nullable(),
  /** Whether the staging copies on the same server move along. */
  withCopies: z.boolean(),
  soakHours: z.int(),
  soakUntil: instant.nullable(),
  /** When a scheduled move starts, or started. */
  beginsAt: instant.nullable(),
  /** Why the move stopped or did not start. */
  reason: z.string().nullable(),
  report: z.array(ReportLine),
  workflowId: z.int().nullable(),
  startedBy: z.string(),
  endedAt: instant.nullable(),
})
export type Migration = z.output<typeof Migration>
/** A move in a list; the call `one` answers the rest. */
export const MigrationRow = Migration.omit({
  position: true,
  withCopies: true,
  soakHours: true,
  report: true,
  workflowId: true,
})
export type MigrationRow = z.output<typeof MigrationRow>

export const MigrationWithDetails = Migration.extend({
  findings: z.array(Finding),
  /** The running or last workflow: the move, or the retirement of the old server. */
  workflow: WorkflowWithActions.nullable(),
  /** Members of a group's move, in order. */
  members: z.array(Migration),
})
export type MigrationWithDetails = z.output<typeof MigrationWithDetails>
