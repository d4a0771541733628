import { sftp as sftpContract } from '@innkeeper/contract/hosting/sftp'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { accessOfAccount } from './accountPart.ts'
import { sftpHandlers } from './handlers.ts'
import { sftpWorkflows } from './lifecycle.ts'
import * as tables from './tables.ts'

export const sftp: Domain = {
  calls: [calls('sftp', sftpContract, sftpHandlers)],
  workflows: [sftpWorkflows],
  tables,
  accountParts: [accessOfAccount],
  readScopes: { sftp: ['system-user:user:read'] },
  secrets: [
    {
      prefix: 'sftp-password:',
      enter: {
        scope: 'system-user:sftp:password',
        at: '/system-users/list',
        page: (_, rest) => sql`select '/system-users/edit/' || ${numberIn(rest)}`,
      },
      what: 'SFTP password of an account',
      again: 'System users → SFTP: make a new password.',
      of: (_, rest) => sql`select username from system_users where system_user_id = ${numberIn(rest)}`,
    },
  ],
}
