import { websites as websitesContract } from '@innkeeper/contract/websites'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { websitesOfAccount } from './accountPart.ts'
import { websitesHandlers } from './handlers.ts'
import { ownParts } from './parts/own.ts'
import * as tables from './tables.ts'
import { purgeOverdue } from './trash/trash.ts'

export const websites: Domain = {
  calls: [calls('websites', websitesContract, websitesHandlers)],
  tables,
  websiteParts: ownParts,
  accountParts: [websitesOfAccount],
  subjects: { website: { see: 'website:website:read' } },
  readScopes: { websites: ['website:website:read'] },
  schedules: [{ name: 'trash of websites', everyMs: 60_000, work: (app) => purgeOverdue(app) }],
}
