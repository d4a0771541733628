import { users as usersContract } from '@innkeeper/contract/access/users/calls'
import type { Domain } from '../../domain.ts'
import { departmentOfUser } from '../../kit/app/departmentsOf.ts'
import { calls } from '../../kit/http/api.ts'
import { usersHandlers } from './handlers.ts'
import { forgetAttempts } from './signIn/attempts.ts'
import { dropLink } from './signIn/links.ts'
import * as signInTables from './signIn/tables.ts'
import * as tables from './tables.ts'

/** The domain secondFactor serves one call of this contract. */
const { dropSecondFactor: _, ...ownCalls } = usersContract

export const users: Domain = {
  calls: [calls('users', ownCalls, usersHandlers)],
  tables: { ...tables, ...signInTables },
  readScopes: { users: ['users:user:read'] },
  departmentsOf: { users: departmentOfUser },
  endSignIn: (db, userId) => dropLink(db, userId),
  accountDeleted: (db, { username }) => forgetAttempts(db, username),
}
