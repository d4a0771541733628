import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, patch, post, version, whole } from '../../kit/endpoint.ts'
import { excludePattern, s3Fields, storeKey } from '../../kit/values.ts'
import { BackedDatabase, BackedWebsite } from './backed.ts'
import { copyCalls } from './copies.ts'
import { restoreFields } from './fields.ts'
import { keepPolicy } from './keep.ts'
import { ownCalls } from './own.ts'
import { passwordCalls } from './passwords.ts'
import { pauseCalls } from './pauses.ts'
import {
  Backup,
  BackupLog,
  BackupServer,
  BackupTask,
  Maintained,
  Overview,
  Present,
  Preview,
  pairOf,
  Repository,
  RepositoryLock,
  RepositorySizes,
  Restore,
  RestoreItem,
  RestorePreview,
  Schedule,
} from './shapes.ts'
import { treeCalls } from './tree.ts'
import {
  backupKind,
  backupMode,
  lockReason,
  lockType,
  logLevel,
  result,
  serverPort,
  taskStatus,
  taskType,
} from './values.ts'
import { hours, when } from './when.ts'

const base = '/backups'
const search = filter(z.string().trim().max(120))
const started = <T extends z.ZodType>(data: T) => z.object({ data, workflowId: z.int() })
const begun = z.object({ workflowId: z.int() })
/** The server of the address, repeated in the body by foreign clients. */
const backupServerId = id.optional()
const keep = keepPolicy
/** Maximum transfer rate to the backup server, in kilobytes per second. */
const limit = whole(64, 10_000_000)
const scheduleFields = {
  name: line(80),
  websiteId: id.optional(),
  serverId: id.optional(),
  backupServerId: id,
  kind: backupKind.default('full'),
  when,
  spread: whole(0, 1440).default(30),
  keep,
  excludes: z.array(excludePattern).max(50).default([]),
  hours: hours.nullable().optional(),
  limit: limit.nullable().optional(),
  enabled: z.boolean().default(true),
}
const bucketFields = {
  ...s3Fields,
  prefix: s3Fields.prefix.default(''),
  /** `endpoint/bucket` instead of `bucket.endpoint`. */
  pathStyle: z.boolean().default(true),
}
export const backups = {
  overview: get(`${base}/overview`, 'backup:backup:read', {
    summary: 'How many websites have a good and a proven backup, with the problems that need attention',
    returns: Overview,
  }),
  servers: get(`${base}/servers`, 'backup:server:read', {
    summary: 'Backup servers',
    query: { ...listQuery(['name', 'createdAt']), search },
    returns: pairOf(BackupServer),
  }),
  createBucket: post(`${base}/servers/buckets`, 'backup:server:create', {
    summary: 'Keep repositories in a bucket of an S3-compatible store, which a managed server maintains',
    body: {
      /** Server whose agent checks, forgets and prunes in the bucket. */
      serverId: id,
      name: line(80),
      ...bucketFields,
      key: storeKey,
      note: line(300).optional(),
      keep: keep.optional(),
    },
    returns: started(BackupServer),
  }),
  updateBucket: patch(`${base}/servers/buckets/:id`, 'backup:server:update', {
    summary: 'Change how a bucket is reached, and test the access; another bucket or folder only without repositories',
    body: {
      ...z.object(s3Fields).partial().shape,
      pathStyle: z.boolean().optional(),
      key: storeKey.optional(),
      version,
    },
    status: 202,
    returns: started(BackupServer),
  }),
  createServer: post(`${base}/servers`, 'backup:server:create', {
    summary: 'Make a managed server a backup server; machines get append-only accounts there',
    body: { serverId: id, port: serverPort, note: line(300).optional(), keep: keep.optional() },
    returns: started(BackupServer),
  }),
  server: get(`${base}/servers/:id`, 'backup:server:read', { summary: 'One backup server', returns: BackupServer }),
  updateServer: patch(`${base}/servers/:id`, 'backup:server:update', {
    summary: 'Change the note or the keep policy of a backup server',
    body: {
      note: line(300).nullable().optional(),
      keep: keep.optional(),
      /** Machine on which drills load databases and request the page; null: none. */
      drillServerId: id.nullable().optional(),
      version,
    },
    returns: BackupServer,
  }),
  removeServer: del(`${base}/servers/:id`, 'backup:server:delete', {
    summary: 'Stop a backup server; refused while it has repositories',
    body: { version },
    status: 202,
    returns: begun,
  }),
  prune: post(`${base}/servers/:id/prune`, 'backup:repo:prune', {
    summary: 'Remove data that no snapshot needs from the repositories of a backup server, or from one of them',
    body: { backupServerId, repositoryId: id.optional() },
    status: 202,
    returns: Maintained,
  }),
  schedulePrune: post(`${base}/servers/:id/schedule-prune`, 'backup:repo:schedule-prune', {
    summary: 'Prune the repositories of a backup server on a schedule; null ends the schedule',
    body: { backupServerId, when: when.nullable() },
    status: 200,
    returns: BackupServer,
  }),
  forget: post(`${base}/servers/:id/forget`, 'backup:repo:forget', {
    summary: 'Remove the backups that no keep policy keeps',
    body: { backupServerId, repositoryId: id.optional(), keep: keep.optional(), expected: whole(0).optional() },
    status: 202,
    returns: Maintained,
  }),
  forgetPreview: get(`${base}/servers/:id/forget`, 'backup:repo:forget', {
    summary: 'Preview the backups that a forget would remove now',
    query: { repositoryId: filter(id) },
    returns: Preview,
  }),
  scheduleForget: post(`${base}/servers/:id/schedule-forget`, 'backup:repo:schedule-forget', {
    summary: 'Forget by the keep policies on a schedule; null ends the schedule',
    body: { backupServerId, when: when.nullable(), keep: keep.optional() },
    status: 200,
    returns: BackupServer,
  }),
  scheduleForgets: post(`${base}/servers/schedules/forget`, 'backup:repo:forget-schedules', {
    summary: 'The same schedule of forget for every backup server',
    body: { when: when.nullable(), keep: keep.optional() },
    status: 200,
    returns: pairOf(BackupServer),
  }),
  list: get(`${base}/backups`, 'backup:backup:read', {
    summary: 'Backups by website, server, status, kind and mode, newest first',
    query: {
      ...listQuery(['startedAt', 'bytes', 'createdAt']),
      search,
      websiteId: filter(csv(id)),
      serverId: filter(csv(id)),
      repositoryId: filter(csv(id)),
      status: filter(csv(whole(0, 4))),
      kind: filter(csv(backupKind)),
      mode: filter(csv(backupMode)),
      proven: filter(z.stringbool()),
    },
    returns: pairOf(Backup),
  }),
  create: post(`${base}/backups`, 'backup:backup:create', {
    summary: 'Back up a website now',
    body: {
      websiteId: id,
      backupServerId,
      kind: backupKind.default('full'),
      mode: backupMode.default('instant'),
      excludes: z.array(excludePattern).max(50).default([]),
      held: z.boolean().default(false),
      /** The schedule that made a scheduled backup. */
      schedule: z
        .object({ name: line(80), when, spread: z.int().min(0).max(1440).default(30), keep: keepPolicy })
        .optional(),
    },
    returns: z.object({ data: Backup.nullable(), workflowId: z.int().nullable(), scheduleId: z.int().nullable() }),
  }),
  one: get(`${base}/backups/:id`, 'backup:backup:read', { summary: 'One backup', returns: Backup }),
  update: patch(`${base}/backups/:id`, 'backup:backup:delete', {
    summary: 'Hold a backup, so that no policy removes it, or end the hold',
    body: { held: z.boolean(), version },
    returns: Backup,
  }),
  remove: del(`${base}/backups/:id`, 'backup:backup:delete', {
    summary: 'Forget the snapshots of a backup; the next prune removes their data',
    body: { version },
    status: 202,
    returns: begun,
  }),
  website: get(`${base}/backups/:id/website`, 'backup:backup:read', {
    summary: 'The website in a backup, with the part that contains it',
    returns: z.object({ website: BackedWebsite, parts: Backup.shape.parts }),
  }),
  database: get(`${base}/backups/:id/database`, 'backup:backup:read', {
    summary: 'The databases in a backup, with their parts',
    returns: z.object({ databases: z.array(BackedDatabase), parts: Backup.shape.parts }),
  }),
  websiteConfig: get(`${base}/backups/website-backups/:id/config`, 'backup:backup:read', {
    summary: 'The configuration of the website when it was backed up',
    returns: BackedWebsite,
    aliases: ['/backups/website-backups/:id/config', '/website-backups/:id/config'],
  }),
  databaseConfig: get(`${base}/backups/database-backups/:id/config`, 'backup:backup:read', {
    summary: 'The configuration of the databases when they were backed up',
    returns: z.object({ items: z.array(BackedDatabase) }),
    aliases: ['/backups/database-backups/:id/config', '/database-backups/:id/config'],
  }),
  ...treeCalls,
  ...copyCalls,
  ...pauseCalls,
  ...ownCalls,
  drill: post(`${base}/backups/:id/drill`, 'backup:restore:create', {
    summary: 'Test a backup: restore it into a scratch folder of the backup server, compare, and delete the folder',
    status: 202,
    returns: begun,
  }),
  restorePreview: get(`${base}/backups/:id/restore`, 'backup:restore:create', {
    summary: 'What a restore of a backup would replace',
    query: { websiteId: filter(id) },
    returns: RestorePreview,
  }),
  restorePresent: post(`${base}/backups/:id/present`, 'backup:restore:create', {
    summary: 'Present state of the files that a restore of a backup would replace',
    body: { websiteId: id.optional(), paths: restoreFields.paths },
    effect: 'read',
    status: 200,
    live: true,
    returns: Present,
  }),
  restore: post(`${base}/restores`, 'backup:restore:create', {
    summary: 'Restore a backup in place, onto another website or as a new one; former data is kept',
    body: restoreFields,
    status: 202,
    returns: started(Restore),
  }),
  restores: get(`${base}/tasks/restores`, 'backup:restore:read', {
    summary: 'Restores, newest first',
    query: { ...listQuery(['createdAt']), search, websiteId: filter(csv(id)), result: filter(csv(result)) },
    returns: pairOf(Restore),
  }),
  oneRestore: get(`${base}/tasks/restores/:id`, 'backup:restore:read', { summary: 'One restore', returns: Restore }),
  restoredWebsites: get(`${base}/tasks/restores/:id/websites`, 'backup:restore:read', {
    summary: 'Websites of a restore, each with its result',
    returns: pairOf(RestoreItem),
  }),
  restoredDatabases: get(`${base}/tasks/restores/:id/databases`, 'backup:restore:read', {
    summary: 'Databases of a restore, each with its result',
    returns: pairOf(RestoreItem),
  }),
  restoredMail: get(`${base}/tasks/restores/:id/mail`, 'backup:restore:read', {
    summary: 'Mail domains of a restore, each with its result',
    returns: pairOf(RestoreItem),
  }),
  restoredServers: get(`${base}/tasks/restores/:id/servers`, 'backup:restore:read', {
    summary: 'Servers of a restore, each with its result',
    returns: pairOf(RestoreItem),
  }),
  repositories: get(`${base}/repositories`, 'backup:repo:read', {
    summary: 'Repositories of the machines',
    query: { ...listQuery(['name', 'createdAt']), search, backupServerId: filter(csv(id)), serverId: filter(csv(id)) },
    returns: pairOf(Repository),
  }),
  repository: get(`${base}/repositories/:id`, 'backup:repo:read', { summary: 'One repository', returns: Repository }),
  sizes: get(`${base}/repositories/:id/sizes`, 'backup:repo:read', {
    summary: 'Size of a repository by day over a year, with its growth and when the disk will be full',
    returns: RepositorySizes,
  }),
  removeRepository: del(`${base}/repositories/:id`, 'backup:repo:delete', {
    summary: 'Delete a repository with all its backups; the backup server keeps it in its trash',
    body: { version, name: z.string().max(64).optional() },
    status: 202,
    returns: begun,
  }),
  ...passwordCalls,
  check: post(`${base}/repositories/:id/check`, 'backup:repo:prune', {
    summary: 'Check a repository and read a share of its data',
    body: { share: whole(0, 100).default(5) },
    status: 202,
    returns: begun,
  }),
  locks: get(`${base}/repositories/locks`, 'backup:repo:read', {
    summary: 'Locks of repositories, set by people or by restic',
    query: {
      ...listQuery(['since']),
      repositoryId: filter(csv(id)),
      state: filter(csv(RepositoryLock.shape.state)),
      source: filter(csv(RepositoryLock.shape.source)),
    },
    returns: pairOf(RepositoryLock),
  }),
  oneLock: get(`${base}/repositories/locks/:id`, 'backup:repo:read', { summary: 'One lock', returns: RepositoryLock }),
  removeLock: del(`${base}/repositories/locks/:id`, 'backup:repo:delete-lock', {
    summary: 'Release a lock that a person set, or remove a stale lock of restic',
    status: [202, 204],
    returns: begun.optional(),
  }),
  lock: post(`${base}/repositories/:id/lock`, 'backup:repo:lock', {
    summary: 'Lock a repository',
    body: { reason: lockReason.default('manual'), type: lockType.default('lock-all') },
    status: 200,
    returns: RepositoryLock,
  }),
  unlock: post(`${base}/repositories/:id/unlock`, 'backup:repo:unlock', {
    summary: 'Release the lock that a person set, and remove stale locks of restic',
    status: [200, 202],
    returns: z.object({ data: Repository, workflowId: z.int().nullable() }),
  }),
  schedules: get(`${base}/schedules`, 'backup:schedule:read', {
    summary: 'Schedules of backups',
    query: {
      ...listQuery(['name', 'createdAt']),
      search,
      websiteId: filter(csv(id)),
      serverId: filter(csv(id)),
      enabled: filter(z.stringbool()),
    },
    returns: pairOf(Schedule),
  }),
  createSchedule: post(`${base}/schedules`, 'backup:schedule:create', {
    summary: 'Back up a website, or every website of a server, on a schedule',
    body: scheduleFields,
    returns: Schedule,
  }),
  schedule: get(`${base}/schedules/:id`, 'backup:schedule:read', { summary: 'One schedule', returns: Schedule }),
  updateSchedule: patch(`${base}/schedules/:id`, 'backup:schedule:update', {
    summary: 'Change a schedule',
    body: {
      name: line(80).optional(),
      backupServerId: id.optional(),
      kind: backupKind.optional(),
      when: when.optional(),
      spread: whole(0, 1440).optional(),
      keep: keep.optional(),
      excludes: z.array(excludePattern).max(50).optional(),
      hours: hours.nullable().optional(),
      limit: limit.nullable().optional(),
      enabled: z.boolean().optional(),
      version,
    },
    returns: Schedule,
  }),
  removeSchedule: del(`${base}/schedules/:id`, 'backup:schedule:delete', {
    summary: 'Delete a schedule; its backups stay, and the policy of their server then applies',
    body: { version },
    status: 204,
  }),
  keepPreview: post(`${base}/schedules/preview`, 'backup:schedule:read', {
    summary: 'Preview which present backups of a website or server a keep policy would keep',
    body: { websiteId: id.optional(), serverId: id.optional(), keep },
    effect: 'read',
    status: 200,
    returns: Preview,
  }),
  tasks: get(`${base}/tasks`, 'backup:task:read', {
    summary: 'Backups, restores and maintenance of repositories as tasks, newest first',
    query: {
      ...listQuery(['createdAt']),
      search,
      type: filter(csv(taskType)),
      status: filter(csv(taskStatus)),
      websiteId: filter(csv(id)),
      repositoryId: filter(csv(id)),
    },
    returns: pairOf(BackupTask),
  }),
  logs: get(`${base}/logs/backups`, 'backup:logs:read', {
    summary: 'Log of backups, restores and maintenance, newest first',
    query: {
      ...listQuery(['at']),
      search,
      level: filter(csv(logLevel)),
      websiteId: filter(csv(id)),
      repositoryId: filter(csv(id)),
      taskId: filter(csv(id)),
    },
    returns: pairOf(BackupLog),
  }),
}
