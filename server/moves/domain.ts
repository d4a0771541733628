import { moves as movesContract } from '@innkeeper/contract/moves'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { belongings } from './belongings.ts'
import { movesHandlers } from './handlers.ts'
import { beginDue } from './schedule.ts'
import { retireOverdue } from './soak.ts'
import * as tables from './tables.ts'

export const moves: Domain = {
  calls: [calls('moves', movesContract, movesHandlers)],
  tables,
  websiteParts: belongings,
  readScopes: { moves: ['website:migrations:read'] },
  schedules: [
    { name: 'moves', everyMs: 15_000, work: (app) => retireOverdue(app) },
    { name: 'moves due', everyMs: 15_000, work: beginDue },
  ],
}
