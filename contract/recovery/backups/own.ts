import * as z from 'zod'
import { del, get, id, instant, post, stored, version } from '../../kit/endpoint.ts'
import { keepPolicy } from './keep.ts'
import { runCode } from './values.ts'
import { when } from './when.ts'

/** When Innkeeper itself is backed up. */
export const OwnPlan = z.object({
  ...stored,
  backupServerId: z.int(),
  backupServerName: z.string(),
  when,
  keep: keepPolicy,
  enabled: z.boolean(),
  nextAt: instant.nullable(),
})
export type OwnPlan = z.output<typeof OwnPlan>

/** A backup of Innkeeper itself. */
export const OwnBackup = z.object({
  ...stored,
  repositoryId: z.int(),
  backupServerName: z.string(),
  status: runCode,
  snapshot: z.string().nullable(),
  bytes: z.number().nullable(),
  added: z.number().nullable(),
  rows: z.number().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** When a restore into a scratch database proved that the contents are equal. */
  provenAt: instant.nullable(),
  error: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type OwnBackup = z.output<typeof OwnBackup>

const base = '/backups/innkeeper'

/** Backups of Innkeeper itself. */
export const ownCalls = {
  own: get(base, 'backup:backup:read', {
    summary: 'When Innkeeper itself is backed up, and its latest backups with their proof',
    returns: z.object({ plan: OwnPlan.nullable(), items: z.array(OwnBackup) }),
  }),
  planOwn: post(`${base}/plan`, 'backup:own:update', {
    summary: 'Back up Innkeeper itself on a schedule, which replaces the present schedule',
    body: { backupServerId: id, when, keep: keepPolicy, enabled: z.boolean().default(true), version },
    status: 200,
    returns: OwnPlan,
  }),
  endOwnPlan: del(`${base}/plan`, 'backup:own:update', {
    summary: 'End the schedule of Innkeeper itself; its backups stay',
    body: { version },
    status: 204,
  }),
  runOwn: post(`${base}/run`, 'backup:own:update', {
    summary: 'Back up Innkeeper itself now, restore the backup into a scratch database and compare both',
    body: { backupServerId: id.optional() },
    status: 202,
    returns: z.object({ workflowId: z.int() }),
  }),
}
