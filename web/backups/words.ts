import type { KeepPolicy } from '@innkeeper/contract/backups/keep'
import { type BackupKind, runWords } from '@innkeeper/contract/backups/values'

export const kindWords: Record<BackupKind, string> = {
  full: 'Files and databases',
  file: 'Files',
  mysql: 'Databases',
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
