import { roles as rolesContract } from '@innkeeper/contract/access/roles'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { rolesHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const roles: Domain = {
  calls: [calls('roles', rolesContract, rolesHandlers)],
  tables,
  readScopes: { roles: ['users:role:read'] },
  departmentsOf: {
    roles: (ids) =>
      sql`select role_id as id, array_remove(array[department_id], null) as departments from roles where role_id = any(${ids})`,
  },
}
