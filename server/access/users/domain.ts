import { users as usersContract } from '@innkeeper/contract/access/users/calls'
import { sql } from 'drizzle-orm'
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
  retention: [
    { table: 'sign_in_attempts', old: sql`since < now() - interval '1 day'` },
    { table: 'held_rights', old: sql`until < now() - interval '90 days'` },
  ],
  endSignIn: (db, userId) => dropLink(db, userId),
  accountDeleted: (db, { username }) => forgetAttempts(db, username),
}
