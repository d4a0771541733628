import { backups } from '@innkeeper/contract/recovery/backups/calls'
import { bind } from '../../kit/api/client.ts'

export const backupsApi = bind('backups', backups)
