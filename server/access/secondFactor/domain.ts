import { secondFactor as secondFactorContract } from '@innkeeper/contract/access/secondFactor'
import { users } from '@innkeeper/contract/access/users/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { secondFactorHandlers } from './handlers.ts'
import { secondFactorOfUsers } from './ofUsers.ts'
import * as tables from './tables.ts'
import { forgetSecondFactor } from './verify.ts'

export const secondFactor: Domain = {
  calls: [
    calls('secondFactor', secondFactorContract, secondFactorHandlers),
    calls('users', { dropSecondFactor: users.dropSecondFactor }, secondFactorOfUsers),
  ],
  tables,
  endSignIn: forgetSecondFactor,
  secrets: [
    {
      prefix: 'second-factor ',
      enter: {
        scope: 'users:user:update',
        at: '/users',
        page: (_, rest) => sql`select '/users/' || ${numberIn(rest)}`,
      },
      what: 'Authenticator of a person',
      again: 'The person signs in with a backup code, turns the second factor off and sets up another.',
      of: (_, rest) => sql`select username from users where user_id = ${numberIn(rest)}`,
    },
  ],
}
