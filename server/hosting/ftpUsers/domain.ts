import { ftpUsers as ftpUsersContract } from '@innkeeper/contract/hosting/ftpUsers'
import { eq, sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { ftpUsersHandlers } from './handlers.ts'
import { ftpWorkflows } from './lifecycle.ts'
import { ftpUserPart } from './part.ts'
import { seedFtpUsers } from './seed.ts'
import { renewalSteps } from './steps.ts'
import * as tables from './tables.ts'
import { endExpired, expiryWorkflows, readActivity } from './watch.ts'

export const ftpUsers: Domain = {
  calls: [calls('ftpUsers', ftpUsersContract, ftpUsersHandlers)],
  workflows: [ftpWorkflows, expiryWorkflows],
  tables,
  websiteParts: [ftpUserPart],
  readScopes: { ftpUsers: ['ftp-user:user:read'] },
  schedules: [
    {
      name: 'FTP users',
      everyMs: 30_000,
      async work(app) {
        await endExpired(app)
        await readActivity(app)
      },
    },
  ],
  async agentUpdated(db, { id, name }) {
    const [ftp] = await db.select().from(tables.ftpServers).where(eq(tables.ftpServers.serverId, id))
    return ftp?.readyAt ? { after: renewalSteps({ id, name }, ftp.plain) } : {}
  },
  seed: { at: 45, run: (db) => seedFtpUsers(db) },
  secrets: [
    {
      prefix: 'ftp-user:',
      enter: {
        scope: 'ftp-user:user:password',
        at: '/ftp-users/list',
        page: (name) => sql`select '/ftp-users/edit/' || ftp_user_id from ftp_users where secret = ${name}`,
      },
      what: 'Password of an FTP user',
      again: 'FTP users: set a new password.',
      of: (name) => sql`select username from ftp_users where secret = ${name}`,
    },
  ],
}
