import { configs as configsContract } from '@innkeeper/contract/recovery/configs/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { collectDue } from './collections/due.ts'
import { configsHandlers } from './handlers.ts'
import { resetWorkflows } from './resets/reset.ts'
import { thinOut } from './retention.ts'
import { seedConfigs } from './seed.ts'
import * as tables from './tables.ts'

/**
 * How other changes affect resets and collections. A reset is refused while another workflow has locked the server. If
 * a website was changed, moved or deleted, the agent resets a file of Innkeeper only to the content that Innkeeper
 * wrote last. With an offline server, the collection is tried each hour, and the reset waits. Versions of a removed
 * server can be read and deleted. If an agent is too old, the log of collections says so.
 */
export const configs: Domain = {
  calls: [calls('configs', configsContract, configsHandlers)],
  workflows: [resetWorkflows],
  tables,
  seed: { at: 60, run: (db, say) => seedConfigs(db, say) },
  readScopes: { configs: ['config-restore:configs:read', 'config-restore:logs:read', 'backup:logs:read'] },
  schedules: [
    { name: 'configurations', everyMs: 5_000, work: (app) => collectDue(app) },
    { name: 'old configurations', everyMs: 86_400_000, work: (app) => thinOut(app) },
  ],
}
