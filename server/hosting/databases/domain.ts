import { databases as databasesContract } from '@innkeeper/contract/hosting/databases/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { endDumps } from './dumps/expiry.ts'
import { dumpWorkflows } from './dumps/lifecycle.ts'
import { databasesHandlers } from './handlers.ts'
import { databaseWorkflows } from './lifecycle.ts'
import { measureDue } from './live/measure.ts'
import { databasePart } from './part.ts'
import { replacementWorkflows } from './replacements/lifecycle.ts'
import * as tables from './tables.ts'
import { endLogins, loginWorkflows } from './users/logins.ts'

export const databases: Domain = {
  calls: [calls('databases', databasesContract, databasesHandlers)],
  workflows: [databaseWorkflows, loginWorkflows, replacementWorkflows, dumpWorkflows],
  tables,
  schedules: [
    { name: 'sizes of databases', everyMs: 60_000, work: measureDue },
    { name: 'dumps of databases', everyMs: 60_000, work: endDumps },
    { name: 'database logins', everyMs: 15_000, work: endLogins },
  ],
  websiteParts: [databasePart],
  subjects: { database: { see: 'database:database:read', act: 'database:database:update' } },
  readScopes: { databases: ['database:database:read'] },
  secrets: [
    {
      prefix: 'database-user:',
      enter: {
        scope: 'database:user:update',
        at: '/databases/users/list',
        page: (name) =>
          sql`select '/databases/users/edit/' || database_user_id from database_users
            where secret = ${name} or next_secret = ${name} limit 1`,
      },
      what: 'Password of a database account',
      again: 'Databases → Users: set a new password, and enter it in the application.',
      of: (name) =>
        sql`select username || '@' || host from database_users where secret = ${name} or next_secret = ${name} limit 1`,
    },
  ],
}
