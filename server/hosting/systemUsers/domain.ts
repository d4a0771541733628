import { systemUsers as systemUsersContract } from '@innkeeper/contract/hosting/systemUsers'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { applyPlan, planWorkflows } from './applyPlan.ts'
import { systemUsersHandlers } from './handlers.ts'
import { accountWorkflows } from './lifecycle.ts'
import { markOver } from './overPlan.ts'
import * as tables from './tables.ts'
import { askDue } from './usage.ts'

export const systemUsers: Domain = {
  calls: [calls('systemUsers', systemUsersContract, systemUsersHandlers)],
  workflows: [planWorkflows, accountWorkflows],
  tables,
  planChanged: applyPlan,
  subjects: { 'system-user': { see: 'system-user:user:read', act: 'system-user:user:update' } },
  readScopes: { systemUsers: ['system-user:user:read'] },
  schedules: [
    // hourly, because plans change too
    { name: 'accounts over their plan', everyMs: 3_600_000, work: ({ db }) => markOver(db) },
    { name: 'usage', everyMs: 60_000, work: askDue },
  ],
}
