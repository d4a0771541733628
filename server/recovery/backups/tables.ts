import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { WantedMail } from '@innkeeper/contract/recovery/backups/mailShapes'
import type { BackupPart, Bucket, Proof } from '@innkeeper/contract/recovery/backups/shapes'
import {
  backupKinds,
  backupModes,
  lockReasons,
  lockTypes,
  logLevels,
  restoreScopes,
  results,
  settingKinds,
  taskStatuses,
  taskTypes,
} from '@innkeeper/contract/recovery/backups/values'
import type { Hours, When } from '@innkeeper/contract/recovery/backups/when'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { websites } from '../../hosting/websites/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import type { Configuration } from './configuration.ts'

/** For indexes over rows that are not deleted. */
const kept = (t: { deletedAt: AnyPgColumn }) => sql`${t.deletedAt} is null`

const bytes = () => bigint({ mode: 'number' })
const workflowId = () => integer().references(() => workflows.id)
const standing = ['preparing', 'ready', 'failed', 'removing'] as const
/** Managed servers or buckets that store backups. */
export const backupServers = pgTable(
  'backup_servers',
  {
    id: identity('backup_server_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    port: integer().notNull(),
    /** The bucket that `serverId` maintains; null if rest-server on that server stores the repositories. */
    s3: jsonb().$type<Bucket>(),
    /** Name of a bucket; null for a server, whose own name is shown. */
    name: text(),
    /** Name of the secret with the secret access key of the bucket. */
    secret: text(),
    note: text(),
    status: text({ enum: standing }).notNull(),
    /** TLS certificate of rest-server in PEM. */
    certificate: text(),
    fingerprint: text(),
    programs: text(),
    keep: jsonb().$type<KeepPolicy>().notNull(),
    forget: jsonb().$type<When>(),
    forgetNextAt: instant(),
    prune: jsonb().$type<When>(),
    pruneNextAt: instant(),
    /** Drill machine: drills load the databases and request the page there. */
    drillServerId: integer().references(() => servers.id),
    workflowId: workflowId(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('backup_servers_server').on(t.serverId).where(sql`${t.deletedAt} is null and ${t.s3} is null`),
    uniqueIndex('backup_servers_name').on(t.name).where(kept(t)),
    index('backup_servers_created').on(t.createdAt, t.id).where(kept(t)),
  ],
)

/** One restic repository for each machine on each backup server. */
export const backupRepositories = pgTable(
  'backup_repositories',
  {
    id: identity('backup_repository_id'),
    backupServerId: integer()
      .notNull()
      .references(() => backupServers.id),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    account: text().notNull(),
    /** Name of the secret with the password of the repository. */
    secret: text().notNull(),
    /** Name of the secret with the password of the account on the backup server. */
    keySecret: text().notNull(),
    /** The repository of which this one is a copy. */
    copyOfId: integer().references((): AnyPgColumn => backupRepositories.id),
    status: text({ enum: standing }).notNull(),
    size: bytes(),
    snapshots: integer(),
    lastBackupAt: instant(),
    lastForgetAt: instant(),
    lastPruneAt: instant(),
    lastCheckAt: instant(),
    checkResult: text(),
    seenAt: instant(),
    workflowId: workflowId(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('backup_repositories_account').on(t.backupServerId, t.account).where(kept(t)),
    index('backup_repositories_server').on(t.serverId),
    uniqueIndex('backup_repositories_copy').on(t.copyOfId).where(kept(t)),
    index('backup_repositories_created').on(t.createdAt, t.id).where(kept(t)),
    index('backup_repositories_by_account').on(t.account, t.id).where(kept(t)),
    index('backup_repositories_search').using('gin', sql`lower(${t.account}) gin_trgm_ops`).where(kept(t)),
  ],
)

/** Size of a repository by day, for its growth. */
export const backupSizes = pgTable(
  'backup_sizes',
  {
    id: identity('backup_size_id'),
    repositoryId: integer('backup_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    at: instant().notNull().default(sql`now()`),
    size: bytes().notNull(),
  },
  (t) => [index('backup_sizes_repository').on(t.repositoryId, t.at)],
)

export const backupLocks = pgTable(
  'backup_locks',
  {
    id: identity('backup_lock_id'),
    repositoryId: integer('backup_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    state: text({ enum: ['locked', 'unlocked'] })
      .notNull()
      .default('locked'),
    source: text({ enum: ['innkeeper', 'restic'] }).notNull(),
    type: text({ enum: lockTypes }).notNull(),
    reason: text({ enum: lockReasons }).notNull(),
    holder: text(),
    host: text(),
    pid: integer(),
    exclusive: boolean().notNull().default(false),
    stale: boolean().notNull().default(false),
    /** Name of the file in the repository, for a lock of restic. */
    file: text(),
    since: instant().notNull().default(sql`now()`),
    unlockedAt: instant(),
  },
  (t) => [
    uniqueIndex('backup_locks_own').on(t.repositoryId).where(sql`${t.state} = 'locked' and ${t.source} = 'innkeeper'`),
    uniqueIndex('backup_locks_file').on(t.repositoryId, t.file).where(sql`${t.state} = 'locked'`),
    index('backup_locks_since').on(t.since, t.id),
    index('backup_locks_repository').on(t.repositoryId, t.since),
  ],
)

export const backupSchedules = pgTable(
  'backup_schedules',
  {
    id: identity('backup_schedule_id'),
    name: text().notNull(),
    websiteId: integer().references(() => websites.id),
    serverId: integer().references(() => servers.id),
    backupServerId: integer()
      .notNull()
      .references(() => backupServers.id),
    kind: text({ enum: backupKinds }).notNull(),
    when: jsonb().$type<When>().notNull(),
    spread: integer().notNull(),
    keep: jsonb().$type<KeepPolicy>().notNull(),
    excludes: text().array().notNull().default(sql`'{}'`),
    /** Hours of the day (UTC) in which the schedule may start backups. */
    hours: jsonb().$type<Hours>(),
    limit: integer('limit_kb'),
    enabled: boolean().notNull().default(true),
    nextAt: instant(),
    lastAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('backup_schedules_by_name').on(t.name, t.id).where(kept(t)),
    index('backup_schedules_created').on(t.createdAt, t.id).where(kept(t)),
    index('backup_schedules_due').on(t.nextAt).where(sql`${t.deletedAt} is null and ${t.enabled}`),
    index('backup_schedules_website').on(t.websiteId),
    index('backup_schedules_server').on(t.serverId),
    index('backup_schedules_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`).where(kept(t)),
  ],
)

/** Backups that a due schedule will start: one row for each website, with a start within the spread. */
export const backupTurns = pgTable(
  'backup_turns',
  {
    id: identity('backup_turn_id'),
    scheduleId: integer('backup_schedule_id')
      .notNull()
      .references(() => backupSchedules.id),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    startAt: instant().notNull(),
  },
  (t) => [
    index('backup_turns_start').on(t.startAt),
    uniqueIndex('backup_turns_website').on(t.scheduleId, t.websiteId),
    index('backup_turns_of_website').on(t.websiteId),
  ],
)

export const backups = pgTable(
  'backups',
  {
    id: identity('backup_id'),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    /** Domain of the website at the time of the backup. */
    domain: text().notNull(),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    repositoryId: integer('backup_repository_id')
      .notNull()
      .references(() => backupRepositories.id),
    scheduleId: integer('backup_schedule_id').references(() => backupSchedules.id),
    kind: text({ enum: backupKinds }).notNull(),
    mode: text({ enum: backupModes }).notNull(),
    status: smallint().notNull().default(0),
    bytes: bytes(),
    added: bytes(),
    files: integer(),
    startedAt: instant(),
    endedAt: instant(),
    error: text(),
    held: boolean().notNull().default(false),
    provenAt: instant(),
    /** Result of the drill on the drill machine; null if no such machine took part. */
    proof: jsonb().$type<Proof>(),
    parts: jsonb().$type<BackupPart[]>().notNull(),
    configuration: jsonb().$type<Configuration>().notNull(),
    /** When somebody paused the backup. It continues at `pausedUntil`, or when somebody resumes it. */
    pausedAt: instant(),
    pausedUntil: instant(),
    /** Since when all its snapshots are in the copy of its repository. */
    copiedAt: instant(),
    /** A running forget removes its snapshots. */
    leaving: boolean().notNull().default(false),
    workflowId: workflowId(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('backups_created').on(t.createdAt, t.id).where(kept(t)),
    index('backups_started').on(t.startedAt, t.id).where(kept(t)),
    index('backups_bytes').on(sql`coalesce(${t.bytes}, -1)`, t.id).where(kept(t)),
    index('backups_website').on(t.websiteId, t.createdAt),
    index('backups_repository').on(t.repositoryId, t.createdAt),
    index('backups_stored').on(t.repositoryId).where(kept(t)), // ten of eleven backups of a year are removed: counts skip them
    index('backups_schedule').on(t.scheduleId),
    index('backups_workflow').on(t.workflowId),
    index('backups_open').on(t.status).where(sql`${t.status} in (0, 1) and ${t.deletedAt} is null`),
    index('backups_paused').on(t.serverId).where(sql`${t.pausedAt} is not null`),
    index('backups_uncopied')
      .on(t.repositoryId, t.createdAt)
      .where(sql`${t.copiedAt} is null and ${t.deletedAt} is null`),
    index('backups_search').using('gin', sql`${t.domain} gin_trgm_ops`).where(kept(t)),
    // of ten million backups: those with problems, those with a proof, results by day, and the last of a website
    index('backups_bad').on(t.createdAt, t.id).where(sql`${t.status} in (3, 4) and ${t.deletedAt} is null`),
    index('backups_proven').on(t.createdAt, t.id).where(sql`${t.provenAt} is not null and ${t.deletedAt} is null`),
    index('backups_results').on(t.createdAt, t.status),
    index('backups_good').on(t.websiteId, t.endedAt).where(sql`${t.status} = 2`),
    index('backups_recent').on(t.endedAt, t.websiteId).where(sql`${t.status} = 2 and ${t.deletedAt} is null`),
    index('backups_proof').on(t.websiteId, t.provenAt).where(sql`${t.provenAt} is not null`),
  ],
)

export const backupRestores = pgTable(
  'backup_restores',
  {
    id: identity('backup_restore_id'),
    backupId: integer()
      .notNull()
      .references(() => backups.id),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    domain: text().notNull(),
    scope: text({ enum: restoreScopes }).notNull(),
    paths: text().array(),
    databases: jsonb().$type<number[]>(),
    /** Databases of which only some tables are restored. */
    tables: jsonb().$type<{ database: number; tables: string[] }[]>(),
    settings: text({ enum: settingKinds }).array().notNull().default(sql`'{}'`),
    mail: jsonb().$type<WantedMail>(),
    result: text({ enum: results }).notNull().default('pending'),
    startedBy: text().notNull(),
    endedAt: instant(),
    error: text(),
    workflowId: workflowId(),
    ...stored(),
  },
  (t) => [
    index('backup_restores_created').on(t.createdAt, t.id),
    index('backup_restores_backup').on(t.backupId),
    index('backup_restores_website').on(t.websiteId),
    index('backup_restores_workflow').on(t.workflowId),
    index('backup_restores_search').using('gin', sql`${t.domain} gin_trgm_ops`),
  ],
)

export const backupRestoreItems = pgTable(
  'backup_restore_items',
  {
    id: identity('backup_restore_item_id'),
    restoreId: integer('backup_restore_id')
      .notNull()
      .references(() => backupRestores.id),
    resource: text({ enum: ['website', 'mysql', 'server', 'mail'] }).notNull(),
    resourceId: integer().notNull(),
    name: text().notNull(),
    result: text({ enum: results }).notNull().default('pending'),
    message: text(),
    endedAt: instant(),
  },
  (t) => [index('backup_restore_items_restore').on(t.restoreId, t.id)],
)

export const backupTasks = pgTable(
  'backup_tasks',
  {
    id: identity('backup_task_id'),
    type: text({ enum: taskTypes }).notNull(),
    status: text({ enum: taskStatuses }).notNull().default('pending'),
    resource: text({ enum: ['website', 'mysql'] }),
    subject: text().notNull(),
    backupId: integer().references(() => backups.id),
    restoreId: integer('backup_restore_id').references(() => backupRestores.id),
    repositoryId: integer('backup_repository_id').references(() => backupRepositories.id),
    websiteId: integer().references(() => websites.id),
    startedBy: text().notNull(),
    message: text(),
    endedAt: instant(),
    workflowId: workflowId(),
    createdAt: instant().notNull().default(sql`now()`),
  },
  (t) => [
    index('backup_tasks_created').on(t.createdAt, t.id),
    index('backup_tasks_workflow').on(t.workflowId),
    index('backup_tasks_backup').on(t.backupId),
    index('backup_tasks_website').on(t.websiteId, t.createdAt),
    index('backup_tasks_drill').on(t.websiteId, t.createdAt).where(sql`${t.type} = 'drill'`),
    index('backup_tasks_search').using('gin', sql`lower(${t.subject}) gin_trgm_ops`),
  ],
)

export const backupLogs = pgTable(
  'backup_logs',
  {
    id: identity('backup_log_id'),
    at: instant().notNull().default(sql`now()`),
    level: text({ enum: logLevels }).notNull(),
    message: text().notNull(),
    taskId: integer('backup_task_id').references(() => backupTasks.id),
    repositoryId: integer('backup_repository_id').references(() => backupRepositories.id),
    websiteId: integer().references(() => websites.id),
  },
  (t) => [
    index('backup_logs_at').on(t.at, t.id),
    index('backup_logs_website').on(t.websiteId, t.at),
    index('backup_logs_task').on(t.taskId),
    index('backup_logs_search').using('gin', sql`lower(${t.message}) gin_trgm_ops`),
  ],
)
