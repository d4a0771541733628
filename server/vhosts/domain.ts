import { originVhosts as originVhostsContract } from '@innkeeper/contract/originVhosts'
import { vhosts as vhostsContract } from '@innkeeper/contract/vhosts'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { vhostsHandlers } from './edges/handlers.ts'
import { collectTraffic } from './edges/traffic.ts'
import { originVhostsHandlers } from './origins/handlers.ts'
import * as tables from './tables.ts'

export const vhosts: Domain = {
  calls: [
    calls('vhosts', vhostsContract, vhostsHandlers),
    calls('originVhosts', originVhostsContract, originVhostsHandlers),
  ],
  tables,
  readScopes: { vhosts: ['vhost:vhost:read'], originVhosts: ['vhost:origin:read'] },
  schedules: [{ name: 'traffic', everyMs: 60_000, work: (app) => collectTraffic(app) }],
}
