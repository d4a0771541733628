import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { BackupPart } from '@innkeeper/contract/recovery/backups/shapes'
import { type BackupKind, runWords } from '@innkeeper/contract/recovery/backups/values'

export const kindWords: Record<BackupKind, string> = {
  full: 'Files, databases, settings and mail',
  file: 'Files',
  mysql: 'Databases',
}
/** In lists: what the backup contains, in one word. */
export const kindShort: Record<BackupKind, string> = { full: 'Everything', file: 'Files', mysql: 'Databases' }
export const partWords: Record<BackupPart['resource'], string> = {
  ...{ website: 'Files', mysql: 'Database', settings: 'Settings', mail: 'Mail' },
}
const stateWords = {
  pending: 'pending',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  partial: 'partial',
} as const
/** The word of the badge for a run. */
export const stateOfRun = (code: number): string => stateWords[runWords[code] ?? 'pending']
export const usualKeep: KeepPolicy = { last: 3, hourly: 0, daily: 14, weekly: 8, monthly: 12, yearly: 2 }
export const kinds = (['full', 'file', 'mysql'] as const).map((value) => ({ value, label: kindWords[value] }))
export const runs = runWords.map((word, code) => ({
  value: String(code),
  label: `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
}))
