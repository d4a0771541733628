import * as z from 'zod'
import { whole } from '../../kit/endpoint.ts'

/** The port on which rest-server listens unless another one is chosen. */
export const USUAL_PORT = 8100
export const serverPort = whole(1024, 65_535).default(USUAL_PORT)

/** What a backup contains: the files of a website, its databases, or both with its configuration. */
export const backupKinds = ['file', 'mysql', 'full'] as const
export const backupKind = z.enum(backupKinds)
export type BackupKind = z.output<typeof backupKind>

export const backupModes = ['instant', 'scheduled'] as const
export const backupMode = z.enum(backupModes)

/** Status of a run; the codes are numbers. A partial run has saved only a part of the requested data. */
export const runStatus = { pending: 0, running: 1, completed: 2, failed: 3, partial: 4 } as const
export const runCode = z.int().min(0).max(4)
export const runWords = ['pending', 'running', 'completed', 'failed', 'partial'] as const
export type RunWord = (typeof runWords)[number]

/** Status of a job: a partial run is a finished job. */
export const jobStatus = { pending: 0, running: 1, finished: 2, failed: 3 } as const
export const jobCode = z.int().min(0).max(3)
export const jobOf = (code: number): number => (code === runStatus.partial ? jobStatus.finished : code)

export const restoreScopes = ['server and config', 'server only', 'config only'] as const
export const restoreScope = z.enum(restoreScopes)
export type RestoreScope = z.output<typeof restoreScope>

/**
 * Settings of a website that a full backup saves besides files and databases, and that a restore restores on request.
 * Named after the kind of part of the website.
 */
export const settingKinds = ['dns-record', 'certificate', 'crontab', 'ftp-user'] as const
export const settingKind = z.enum(settingKinds)
export type SettingKind = z.output<typeof settingKind>

export const results = ['pending', 'success', 'failed', 'partial'] as const
export const result = z.enum(results)
export type Result = z.output<typeof result>

export const taskTypes = ['backup', 'restore', 'forget', 'prune', 'check', 'unlock', 'drill', 'copy', 'own'] as const
export const taskType = z.enum(taskTypes)
export type TaskType = z.output<typeof taskType>
/** Days until lines of the log of backups are deleted, and until tasks and the rows of removed backups are. */
export const LOG_DAYS = 90
export const HISTORY_DAYS = 365

export const taskStatuses = ['pending', 'in progress', 'failed', 'done', 'cancelled'] as const
export const taskStatus = z.enum(taskStatuses)
export const taskResources = ['website', 'mysql'] as const
export const taskResource = z.enum(taskResources)

export const logLevels = ['info', 'error', 'warning'] as const
export const logLevel = z.enum(logLevels)

export const lockReasons = ['unspecified', 'forget', 'prune', 'backup', 'restore', 'manual'] as const
export const lockReason = z.enum(lockReasons)
/** `lock-all` stops every backup, restore and maintenance; `allow-restore` still lets restores through. */
export const lockTypes = ['unspecified', 'lock-all', 'allow-restore'] as const
export const lockType = z.enum(lockTypes)

/** Problems of which people are notified: once when they begin, once when they end. */
export const alertKinds = [
  'no backup',
  'no proof',
  'full',
  'lock',
  'drill',
  'check',
  'no check',
  'copy',
  'own',
] as const
export type AlertKind = (typeof alertKinds)[number]
