import { ipsets as ipsetsContract } from '@innkeeper/contract/machines/ipsets/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { deleteEnded, endExpired } from './bans/expiry.ts'
import { ipsetsHandlers } from './handlers.ts'
import { ipSetWorkflows } from './lifecycle.ts'
import { compareOverdue } from './publications/compare.ts'
import { seedSets } from './seed.ts'
import * as tables from './tables.ts'

export const ipsets: Domain = {
  calls: [calls('ipsets', ipsetsContract, ipsetsHandlers)],
  workflows: [ipSetWorkflows],
  tables,
  subjects: { 'ip-set': { see: 'ipset:set:read', act: 'ipset:set:update' } },
  readScopes: { ipsets: ['ipset:set:read'] },
  schedules: [
    { name: 'bans', everyMs: 5_000, work: (app) => endExpired(app) },
    { name: 'ended bans', everyMs: 3_600_000, work: (app) => deleteEnded(app) },
    { name: 'ip sets', everyMs: 600_000, work: (app) => compareOverdue(app) },
  ],
  seed: { at: 50, run: (db, say) => seedSets(db, say) },
}
