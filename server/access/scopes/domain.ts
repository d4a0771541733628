import { scopes as scopesContract } from '@innkeeper/contract/access/scopes'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { scopesHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const scopes: Domain = {
  calls: [calls('scopes', scopesContract, scopesHandlers)],
  tables,
  readScopes: { scopes: ['users:scope:read'] },
}
