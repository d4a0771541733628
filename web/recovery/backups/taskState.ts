import type { BackupTask } from '@innkeeper/contract/recovery/backups/shapes'

/** The state of a task as a badge shows it. */
export const stateOf = ({ status }: Pick<BackupTask, 'status'>) => (status === 'in progress' ? 'running' : status)
