import { owners as ownersContract } from '@innkeeper/contract/owners'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { ownersHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const owners: Domain = {
  calls: [calls('owners', ownersContract, ownersHandlers)],
  tables,
  readScopes: { owners: ['website:group:read'] },
}
