import { adoptions as contract } from '@innkeeper/contract/recovery/adoptions/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { lookForNames } from './elsewhere.ts'
import { adoptionsHandlers } from './handlers.ts'
import { adoptionWorkflows } from './lifecycle.ts'
import { placeWorkflows } from './places/lifecycle.ts'
import * as tables from './tables.ts'

/**
 * How other changes meet an adoption. The machine is a server of the type adopted: nothing is set up on it, no address set
 * is sent to it, and its configuration is only collected. What changed there since the look: the agent compares names again
 * before it opens anything. Its websites here are ordinary imports, which are repeated, rolled back and cut over by
 * themselves. A removed server: the list stays readable.
 */
export const adoptions: Domain = {
  calls: [calls('adoptions', contract, adoptionsHandlers)],
  workflows: [adoptionWorkflows, placeWorkflows],
  tables,
  schedules: [{ name: 'adopted servers', everyMs: 20_000, work: lookForNames }],
  readScopes: { adoptions: ['archive-import:import:read'] },
  subjects: { adoption: { see: 'archive-import:import:read', act: 'archive-import:import:create' } },
}
