import { websites as websitesContract } from '@innkeeper/contract/hosting/websites'
import { eq } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { step } from '../../kit/work/action.ts'
import { phpEnsure } from '../../machines/servers/actions.ts'
import { phpVersionsOf } from '../../machines/servers/php.ts'
import { serverStates } from '../../machines/servers/tables.ts'
import { websitesOfAccount } from './accountPart.ts'
import { websitesHandlers } from './handlers.ts'
import { websiteWorkflows } from './lifecycle.ts'
import { ownParts } from './parts/own.ts'
import { phpWorkflows } from './php/php.ts'
import * as tables from './tables.ts'
import { purgeOverdue } from './trash/trash.ts'

export const websites: Domain = {
  calls: [calls('websites', websitesContract, websitesHandlers)],
  workflows: [websiteWorkflows, phpWorkflows],
  tables,
  websiteParts: ownParts,
  accountParts: [websitesOfAccount],
  subjects: { website: { see: 'website:website:read' } },
  readScopes: { websites: ['website:website:read'] },
  async agentUpdated(db, { id, name }) {
    const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, id))
    const on = { server: id, resource: { type: 'php-fpm', id, name } }
    return {
      after: phpVersionsOf({ services: state?.services ?? [] }).map((phpVersion) =>
        step(phpEnsure, { phpVersion }, on),
      ),
    }
  },
  schedules: [{ name: 'trash of websites', everyMs: 60_000, work: (app) => purgeOverdue(app) }],
}
