import { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { watchCutOvers } from './cutOver/watch.ts'
import { archiveImportsHandlers } from './handlers.ts'
import { lateMailWorkflows } from './lateMail/handlers.ts'
import { archiveImportWorkflows } from './lifecycle.ts'
import { forgetNew } from './newPasswords/forget.ts'
import * as tables from './tables.ts'

/**
 * How other changes meet an import. A website or mail domain with a name of the archive: the line is left out and says
 * whose name it is. Between plan and start: the names are checked again. While the import runs or waits to be accepted, its
 * websites and mail domains are locked, so that a roll back loses nobody's change. The archive changed since the look: the
 * agent refuses. A removed server: the import stays readable.
 */
export const archiveImports: Domain = {
  calls: [calls('archiveImports', contract, archiveImportsHandlers)],
  workflows: [archiveImportWorkflows, lateMailWorkflows],
  tables,
  schedules: [
    { name: 'cut-overs', everyMs: 20_000, work: watchCutOvers },
    { name: 'new passwords whose time is over', everyMs: 60_000, work: forgetNew },
  ],
  secrets: [
    {
      prefix: 'new-password:',
      what: 'Password of a one-use link',
      again: 'Make another link in the import: it sets another password.',
      of: (_, rest) => sql`select login from new_passwords where new_password_id = ${numberIn(rest)}`,
      enter: {
        scope: 'archive-import:link:create',
        at: '/archive-imports',
        page: (_, rest) =>
          sql`select '/archive-imports/' || import_id from new_passwords where new_password_id = ${numberIn(rest)}`,
      },
    },
  ],
  readScopes: { archiveImports: ['archive-import:import:read'] },
  subjects: { 'archive-import': { see: 'archive-import:import:read', act: 'archive-import:import:start' } },
}
