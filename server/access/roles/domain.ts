import { roles as rolesContract } from '@innkeeper/contract/access/roles'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { rolesHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const roles: Domain = {
  calls: [calls('roles', rolesContract, rolesHandlers)],
  tables,
  readScopes: { roles: ['users:role:read'] },
}
