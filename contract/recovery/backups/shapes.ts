import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { s3Fields } from '../../kit/values.ts'
import { keepPolicy } from './keep.ts'
import { KeptMailbox, MailPreview, wantedMail } from './mailShapes.ts'
import {
  backupKind,
  backupMode,
  jobCode,
  lockReason,
  lockType,
  logLevel,
  restoreScope,
  result,
  runCode,
  settingKind,
  taskResource,
  taskStatus,
  taskType,
} from './values.ts'
import { hours, when } from './when.ts'

/** A list with the number of all rows that fit the filters, exact up to 10,000. */
export const pairOf = <T extends z.ZodType>(item: T) => z.tuple([z.array(item), z.int()])

/** A bucket of a store that speaks S3. Its secret is never answered. */
export const Bucket = z.object({ ...s3Fields, pathStyle: z.boolean() })
export type Bucket = z.output<typeof Bucket>

export const BackupServer = z.object({
  ...stored,
  serverId: z.int(),
  name: z.string(),
  address: z.string().nullable(),
  observed: z.string(),
  port: z.int(),
  /** The bucket that contains the repositories; null: they are on the server itself, behind rest-server. */
  s3: Bucket.nullable(),
  note: z.string().nullable(),
  status: z.enum(['preparing', 'ready', 'failed', 'removing']),
  /** SHA-256 of the TLS certificate of the backup server. Machines pin the certificate. */
  fingerprint: z.string().nullable(),
  programs: z.string().nullable(),
  disk: z.object({ total: z.number(), used: z.number() }).nullable(),
  /** When its disk will be full if it grows as in the last 30 days; null: unknown or never. */
  fullAt: instant.nullable(),
  repositories: z.int(),
  backups: z.int(),
  forget: when.nullable(),
  forgetNextAt: instant.nullable(),
  prune: when.nullable(),
  pruneNextAt: instant.nullable(),
  keep: keepPolicy,
  /** Machine on which drills load databases and request the page. */
  drillServerId: z.int().nullable(),
  drillServerName: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type BackupServer = z.output<typeof BackupServer>

export const Repository = z.object({
  ...stored,
  backupServerId: z.int(),
  backupServerName: z.string(),
  /** The machine whose backups the repository contains. */
  serverId: z.int(),
  serverName: z.string(),
  /** Its account on the backup server, and its path there. */
  account: z.string(),
  address: z.string().nullable(),
  /** The repository of which this one is a copy. */
  copyOfId: z.int().nullable(),
  status: z.enum(['preparing', 'ready', 'failed', 'removing']),
  size: z.number().nullable(),
  snapshots: z.int().nullable(),
  backups: z.int(),
  lockType: lockType.nullable(),
  lockReason: lockReason.nullable(),
  lockedBy: z.string().nullable(),
  lastBackupAt: instant.nullable(),
  lastForgetAt: instant.nullable(),
  lastPruneAt: instant.nullable(),
  lastCheckAt: instant.nullable(),
  checkResult: z.string().nullable(),
  seenAt: instant.nullable(),
  workflowId: z.int().nullable(),
})
export type Repository = z.output<typeof Repository>

/** Size of a repository by day, and what its growth leads to. */
export const RepositorySizes = z.object({
  /** Oldest first. */
  days: z.array(z.object({ day: z.iso.date(), size: z.number() })),
  /** Bytes each day over the last 30 days; null: not known yet. */
  growth: z.number().nullable(),
  /** Bytes that are free on the backup server. */
  free: z.number().nullable(),
  /** When the disk will be full if all its repositories grow as now; null: unknown or never. */
  fullAt: instant.nullable(),
})
export type RepositorySizes = z.output<typeof RepositorySizes>

export const RepositoryLock = z.object({
  id: z.int(),
  repositoryId: z.int(),
  repositoryName: z.string(),
  state: z.enum(['locked', 'unlocked']),
  /** `innkeeper`: a person set the lock here; `restic`: a lock file in the repository. */
  source: z.enum(['innkeeper', 'restic']),
  type: lockType,
  reason: lockReason,
  holder: z.string().nullable(),
  host: z.string().nullable(),
  pid: z.int().nullable(),
  exclusive: z.boolean(),
  /** The process no longer refreshes the lock. Only stale locks of restic can be removed. */
  stale: z.boolean(),
  since: instant,
  unlockedAt: instant.nullable(),
})
export type RepositoryLock = z.output<typeof RepositoryLock>

/** A kind of settings in a backup, in words. */
export const KeptSettings = z.object({ kind: settingKind, text: z.string() })
export type KeptSettings = z.output<typeof KeptSettings>

/** A snapshot of a backup: the files of the website, its settings, one database, or the mail of one domain. */
export const BackupPart = z.object({
  resource: z.enum([...taskResource.options, 'settings', 'mail']),
  resourceId: z.int(),
  name: z.string(),
  snapshot: z.string().nullable(),
  /** Id of the snapshot in the copy of the repository. */
  copy: z.string().optional(),
  bytes: z.number(),
  added: z.number(),
  files: z.int(),
  problem: z.string().nullable(),
  /** Kinds of settings in this part. */
  holds: z.array(KeptSettings).optional(),
  /** The folder of the website contained no file. */
  empty: z.boolean().optional(),
  /** Mailboxes of a mail domain; absent in lists, and for more than 500. */
  mailboxes: z.array(KeptMailbox).optional(),
  /** Tables of a database; absent in lists, and for more than 2,000. */
  tables: z.array(z.string()).optional(),
})
export type BackupPart = z.output<typeof BackupPart>

/** Results of a drill on a machine for drills, besides the comparison. */
export const Proof = z.object({
  machine: z.string(),
  databases: z.int(),
  /** Status of the page; null: not requested, because the machine lacks the PHP version. */
  page: z.int().nullable(),
})
export type Proof = z.output<typeof Proof>

export const Backup = z.object({
  ...stored,
  websiteId: z.int(),
  domain: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  repositoryId: z.int(),
  backupServerName: z.string(),
  kind: backupKind,
  mode: backupMode,
  scheduleId: z.int().nullable(),
  status: runCode,
  jobStatus: jobCode,
  bytes: z.number().nullable(),
  added: z.number().nullable(),
  files: z.int().nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  error: z.string().nullable(),
  /** True: no policy removes the backup. */
  held: z.boolean(),
  provenAt: instant.nullable(),
  proof: Proof.nullable(),
  /** When people stopped the backup. It resumes at `pausedUntil`, or when somebody resumes it. */
  pausedAt: instant.nullable(),
  pausedUntil: instant.nullable(),
  /** When its snapshots were copied to another backup server, and to which. */
  copiedAt: instant.nullable(),
  copiedTo: z.string().nullable(),
  parts: z.array(BackupPart),
  workflowId: z.int().nullable(),
})
export type Backup = z.output<typeof Backup>

export const TreeEntry = z.object({
  name: z.string(),
  path: z.string(),
  type: z.enum(['file', 'dir', 'symlink', 'other']),
  size: z.number(),
  mode: z.int(),
  uid: z.int(),
  gid: z.int(),
  modifiedAt: instant,
})
export type TreeEntry = z.output<typeof TreeEntry>

/** A version of a file, which one or more consecutive backups contain. */
export const FileVersion = z.object({
  /** The newest of these backups. */
  backupId: z.int(),
  at: instant,
  backups: z.int(),
  size: z.number(),
  mode: z.int(),
  modifiedAt: instant,
})
export type FileVersion = z.output<typeof FileVersion>

export const Schedule = z.object({
  ...stored,
  name: z.string(),
  /** Either one website, or all websites of a server. */
  websiteId: z.int().nullable(),
  domain: z.string().nullable(),
  serverId: z.int().nullable(),
  serverName: z.string().nullable(),
  backupServerId: z.int(),
  backupServerName: z.string(),
  kind: backupKind,
  when,
  /** Minutes over which the starts are spread. */
  spread: z.int(),
  keep: keepPolicy,
  excludes: z.array(z.string()),
  hours: hours.nullable(),
  limit: z.int().nullable(),
  enabled: z.boolean(),
  /** Why the schedule is inactive: its website was deleted or suspended. */
  rests: z.string().nullable(),
  nextAt: instant.nullable(),
  lastAt: instant.nullable(),
  lastStatus: runCode.nullable(),
  websites: z.int(),
})
export type Schedule = z.output<typeof Schedule>

export const BackupTask = z.object({
  id: z.int(),
  type: taskType,
  status: taskStatus,
  resource: taskResource.nullable(),
  subject: z.string(),
  backupId: z.int().nullable(),
  restoreId: z.int().nullable(),
  repositoryId: z.int().nullable(),
  websiteId: z.int().nullable(),
  startedBy: z.string(),
  createdAt: instant,
  endedAt: instant.nullable(),
  message: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type BackupTask = z.output<typeof BackupTask>

export const BackupLog = z.object({
  id: z.int(),
  at: instant,
  level: logLevel,
  message: z.string(),
  taskId: z.int().nullable(),
  repositoryId: z.int().nullable(),
  websiteId: z.int().nullable(),
  domain: z.string().nullable(),
})
export type BackupLog = z.output<typeof BackupLog>

export const Restore = z.object({
  ...stored,
  backupId: z.int(),
  backupAt: instant.nullable(),
  /** The website that receives the restore. */
  websiteId: z.int(),
  domain: z.string(),
  /** The website of the backup, under its name at that time. */
  fromWebsiteId: z.int(),
  fromDomain: z.string(),
  scope: restoreScope,
  /** Chosen paths; null for everything. */
  paths: z.array(z.string()).nullable(),
  databases: z.array(z.int()).nullable(),
  tables: z.array(z.object({ database: z.int(), tables: z.array(z.string()) })).nullable(),
  settings: z.array(settingKind),
  mail: wantedMail.nullable(),
  result,
  startedBy: z.string(),
  endedAt: instant.nullable(),
  error: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type Restore = z.output<typeof Restore>

/** One website, database or server of a restore, with its own result. */
export const RestoreItem = z.object({
  id: z.int(),
  restoreId: z.int(),
  resource: z.enum(['website', 'mysql', 'server', 'mail']),
  resourceId: z.int(),
  name: z.string(),
  result,
  message: z.string().nullable(),
  endedAt: instant.nullable(),
})
export type RestoreItem = z.output<typeof RestoreItem>

/** A backup with the verdict of a keep policy. No reasons: the policy removes the backup. */
export const Judged = z.object({
  id: z.int(),
  at: instant,
  websiteId: z.int(),
  domain: z.string(),
  reasons: z.array(z.string()),
})
export type Judged = z.output<typeof Judged>
export const Preview = z.object({ stay: z.int(), go: z.int(), backups: z.array(Judged) })
export type Preview = z.output<typeof Preview>

/** Maintenance of repositories: a workflow for each, and the repositories where it could not start, with the reason. */
export const Maintained = z.object({
  /** The first of `workflowIds`. */
  workflowId: z.int(),
  workflowIds: z.array(z.int()),
  refused: z.array(z.object({ repositoryId: z.int(), account: z.string(), message: z.string() })),
})
export type Maintained = z.output<typeof Maintained>

/** Preview of a restore. */
export const RestorePreview = z.object({
  website: z.string(),
  files: z.int().nullable(),
  bytes: z.number().nullable(),
  folder: z.string().nullable(),
  /** Each database of the backup with the database that receives it; null: it is left out. */
  databases: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      into: z.object({ id: z.int(), name: z.string() }).nullable(),
      exists: z.boolean(),
      size: z.number().nullable(),
    }),
  ),
  /** Settings in the backup beside the present ones. `closed`: why they cannot be restored. */
  settings: z.array(KeptSettings.extend({ now: z.string(), closed: z.string().nullable() })),
  mail: z.array(MailPreview),
  /** Databases of the website that receives the restore. */
  targets: z.array(z.object({ id: z.int(), name: z.string() })),
  /** The other owner who receives the content; null if both websites have the same owner. */
  otherOwner: z.object({ id: z.int(), name: z.string() }).nullable(),
  warnings: z.array(z.string()),
})
export type RestorePreview = z.output<typeof RestorePreview>

/** Present state of the data that a restore would replace. */
export const Present = z.object({
  files: z.int(),
  bytes: z.number(),
  /** The newest change of a file. */
  changedAt: instant.nullable(),
  /** Chosen paths that exist now. */
  existing: z.array(z.object({ path: z.string(), type: TreeEntry.shape.type, modifiedAt: instant })),
})
export type Present = z.output<typeof Present>

/** State of the backups of all websites. */
export const Overview = z.object({
  /** When the figures were counted, at most ten minutes ago; warnings are current. */
  at: instant,
  websites: z.int(),
  /** Websites with a good backup in the last `hours` hours. */
  backed: z.int(),
  hours: z.int(),
  /** Websites with a backup that was restored as a test in the last `days` days. */
  proven: z.int(),
  days: z.int(),
  failed: z.int(),
  running: z.int(),
  bytes: z.number(),
  lacking: z.array(z.object({ websiteId: z.int(), domain: z.string(), lastAt: instant.nullable() })),
  warnings: z.array(z.string()),
  runs: z.array(z.object({ day: z.string(), completed: z.int(), partial: z.int(), failed: z.int() })),
})
export type Overview = z.output<typeof Overview>
