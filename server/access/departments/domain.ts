import { departments as departmentsContract } from '@innkeeper/contract/access/departments'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { departmentsHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const departments: Domain = {
  calls: [calls('departments', departmentsContract, departmentsHandlers)],
  tables,
  readScopes: { departments: ['users:department:read'] },
  departmentsOf: {
    departments: (ids) =>
      sql`select department_id as id, array[department_id] as departments from departments where department_id = any(${ids})`,
  },
}
