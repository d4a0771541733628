import { sftp as sftpContract } from '@innkeeper/contract/sftp'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { accessOfAccount } from './accountPart.ts'
import { sftpHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const sftp: Domain = {
  calls: [calls('sftp', sftpContract, sftpHandlers)],
  tables,
  accountParts: [accessOfAccount],
  readScopes: { sftp: ['system-user:user:read'] },
}
