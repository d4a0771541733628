import { dns as dnsContract } from '@innkeeper/contract/dns'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { dnsHandlers } from './handlers.ts'
import { syncOverdue } from './publications/sync.ts'
import * as tables from './tables.ts'

export const dns: Domain = {
  calls: [calls('dns', dnsContract, dnsHandlers)],
  tables,
  readScopes: { dns: ['dns:zone:read', 'dns:department:read'] },
  schedules: [{ name: 'zones', everyMs: 3_600_000, work: (app) => syncOverdue(app) }],
}
