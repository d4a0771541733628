import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { archiveFormat, Inventory } from './inventory.ts'
import { LateMail } from './lateMail.ts'
import { NewPassword } from './passwords.ts'

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
  /** The line is left out unless people choose it. */
  optIn: z.boolean().optional(),
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
  /** `kept`: changed here since an earlier import, and stays so. `changed`: came otherwise than the archive has it. */
  verdict: z.enum(['same', 'differs', 'kept', 'changed']),
})
export type ReportLine = z.output<typeof ReportLine>

export const importStatuses = [
  ...(['looking', 'ready', 'unreadable', 'importing', 'failed', 'verified', 'done', 'rolled-back'] as const),
] as const
/** `verified`: everything is here and was compared, and waits for people who accept it or roll it back. */
export const importStatus = z.enum(importStatuses)
export type ImportStatus = z.output<typeof importStatus>

/** Where an archive came from. `machine`: websites of an adopted server. */
export const importSources = ['path', 'upload', 'address', 'machine'] as const
const importSource = z.enum(importSources)

export const ArchiveImport = z.object({
  ...stored,
  serverId: z.int(),
  serverName: z.string(),
  source: importSource,
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
  /** True: people have paused the import while it ran. */
  paused: z.boolean(),
  /** True: it is being rolled back. */
  undoing: z.boolean(),
})
export type ArchiveImport = z.output<typeof ArchiveImport>

/** A name of something that was imported, and where it leads now. */
export const NameLine = z.object({
  name: z.string(),
  what: z.enum(['website', 'mail']),
  /** Records that the name should have, such as `A 192.0.2.1`. Several: one of them is enough. */
  wanted: z.array(z.string()),
  now: z.array(z.string()),
  /** The zone of Innkeeper that has the name. */
  zone: z.string().nullable(),
  /** Seconds for which resolvers keep the present address records in that zone. Absent where the zone is elsewhere. */
  ttl: z.int().min(0).optional(),
  /** `unknown`: no name server has answered yet. */
  state: z.enum(['here', 'elsewhere', 'missing', 'unknown']),
})
export type NameLine = z.output<typeof NameLine>
const CutOver = z.object({
  names: z.array(NameLine),
  /** Names are looked up each minute until all lead here. */
  watching: z.boolean(),
  at: instant.nullable(),
})

export const ArchiveImportView = ArchiveImport.extend({
  inventory: Inventory.nullable(),
  /** The plan that was started. */
  plan: z.array(PlanLine).nullable(),
  report: z.array(ReportLine).nullable(),
  /** Null until people begin the cut-over. */
  cutOver: CutOver.nullable(),
  /** Null: no mail is or was fetched from the former server. */
  lateMail: LateMail.nullable(),
  /** Accounts whose password could not be carried: they have new ones. */
  passwords: z.array(NewPassword),
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
