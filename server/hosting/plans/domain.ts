import { plans as plansContract } from '@innkeeper/contract/hosting/plans'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { plansHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const plans: Domain = {
  calls: [calls('plans', plansContract, plansHandlers)],
  tables,
  subjects: { plan: { see: 'system-user:plan:read', act: 'system-user:plan:update' } },
  readScopes: { plans: ['system-user:plan:read'] },
}
