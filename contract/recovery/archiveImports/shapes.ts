import * as z from 'zod'
import { stored } from '../../kit/endpoint.ts'
import { archiveFormat, Inventory } from './inventory.ts'

export const lineKinds = ['website', 'certificate', 'database', 'mail', 'zone', 'cron', 'ftp', 'other'] as const
export const verdicts = ['carried', 'changed', 'left out'] as const

/** A line of the plan: what becomes of something in the archive. */
export const PlanLine = z.object({
  /** For example `website:shop.example`. */
  key: z.string(),
  kind: z.enum(lineKinds),
  name: z.string(),
  verdict: z.enum(verdicts),
  /** What comes along, with counts: `1204 files, 310 MB`. */
  detail: z.string(),
  /** What changes, and why; why it is left out. */
  notes: z.array(z.string()),
  /** People may leave the line out; false for lines that are left out anyway. */
  choice: z.boolean(),
})
export type PlanLine = z.output<typeof PlanLine>

export const ReportLine = z.object({
  kind: z.enum(lineKinds),
  name: z.string(),
  what: z.string(),
  archive: z.string(),
  here: z.string(),
  verdict: z.enum(['same', 'differs']),
})
export type ReportLine = z.output<typeof ReportLine>

export const importStatuses = [
  ...(['looking', 'ready', 'unreadable', 'importing', 'failed', 'verified', 'done', 'rolled-back'] as const),
] as const
/** `verified`: everything is here and was compared, and waits for people who accept it or roll it back. */
export const importStatus = z.enum(importStatuses)
export type ImportStatus = z.output<typeof importStatus>

export const ArchiveImport = z.object({
  ...stored,
  serverId: z.int(),
  serverName: z.string(),
  source: z.enum(['path', 'upload']),
  fileName: z.string(),
  status: importStatus,
  format: archiveFormat.nullable(),
  account: z.string().nullable(),
  counts: z.object({ websites: z.int(), databases: z.int(), mailboxes: z.int() }).nullable(),
  ownerId: z.int().nullable(),
  ownerName: z.string().nullable(),
  /** Why the archive cannot be read, or why the import stopped. */
  reason: z.string().nullable(),
  by: z.string(),
  workflowId: z.int().nullable(),
})
export type ArchiveImport = z.output<typeof ArchiveImport>

export const ArchiveImportView = ArchiveImport.extend({
  inventory: Inventory.nullable(),
  /** The plan that was started. */
  plan: z.array(PlanLine).nullable(),
  report: z.array(ReportLine).nullable(),
  /** Websites and mail domains that the import made. */
  made: z.object({
    websites: z.array(z.object({ id: z.int(), domain: z.string() })),
    mailboxes: z.array(z.object({ id: z.int(), domain: z.string() })),
  }),
})
export type ArchiveImportView = z.output<typeof ArchiveImportView>

export const ImportPlan = z.object({
  lines: z.array(PlanLine),
  /** Problems by field of the form. */
  problems: z.record(z.string(), z.string()),
  username: z.string().nullable(),
})
export type ImportPlan = z.output<typeof ImportPlan>
