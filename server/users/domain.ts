import { users as usersContract } from '@innkeeper/contract/users'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { usersHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const users: Domain = {
  calls: [calls('users', usersContract, usersHandlers)],
  tables,
  readScopes: { users: ['users:user:read'] },
}
