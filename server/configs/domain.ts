import { configs as configsContract } from '@innkeeper/contract/configs'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { collectDue } from './collections/due.ts'
import { configsHandlers } from './handlers.ts'
import { thinOut } from './retention.ts'
import { seedConfigs } from './seed.ts'
import * as tables from './tables.ts'

/**
 * What meets it: a workflow of the same server (it holds the server's lock, and drivers the lock of the service), a
 * website that was changed, moved or deleted since (the agent returns a file of Innkeeper only to the content that
 * Innkeeper wrote last), a server that is away (the collection is tried each hour, the reset waits), a server that was
 * removed (its versions can be read and deleted), an older agent (the log says so).
 */
export const configs: Domain = {
  calls: [calls('configs', configsContract, configsHandlers)],
  tables,
  seed: { at: 60, run: (db, say) => seedConfigs(db, say) },
  readScopes: { configs: ['config-restore:configs:read', 'config-restore:logs:read', 'backup:logs:read'] },
  schedules: [
    { name: 'configurations', everyMs: 5_000, work: (app) => collectDue(app) },
    { name: 'old configurations', everyMs: 86_400_000, work: (app) => thinOut(app) },
  ],
}
