import { sftp as sftpContract } from '@innkeeper/contract/sftp'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { sftpHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const sftp: Domain = {
  calls: [calls('sftp', sftpContract, sftpHandlers)],
  tables,
  readScopes: { sftp: ['system-user:user:read'] },
}
