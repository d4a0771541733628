import { backups } from '@innkeeper/contract/backups'
import { bind } from '../kit/api/client.ts'

export const backupsApi = bind('backups', backups)
