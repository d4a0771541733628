import { moves as movesContract } from '@innkeeper/contract/hosting/moves/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { belongings } from './belongings.ts'
import { movesHandlers } from './handlers.ts'
import { moveWorkflows } from './lifecycle.ts'
import { beginDue } from './schedule.ts'
import { retireOverdue } from './soak.ts'
import * as tables from './tables.ts'

export const moves: Domain = {
  calls: [calls('moves', movesContract, movesHandlers)],
  workflows: [moveWorkflows],
  tables,
  websiteParts: belongings,
  readScopes: { moves: ['website:migrations:read'] },
  schedules: [
    { name: 'moves', everyMs: 15_000, work: (app) => retireOverdue(app) },
    { name: 'moves due', everyMs: 15_000, work: beginDue },
  ],
  secrets: [
    {
      prefix: 'migration/',
      enter: {
        scope: 'website:migrations:update',
        at: '/website-migrations',
        page: (_, rest) => sql`select '/website-migrations/' || ${numberIn(rest)}`,
      },
      what: 'Key of a running move',
      again: 'Roll the move back and start it again.',
      of: (_, rest) =>
        sql`select 'move ' || website_migration_id from website_migrations where website_migration_id = ${numberIn(rest)}`,
    },
  ],
}
