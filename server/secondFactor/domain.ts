import { secondFactor as secondFactorContract } from '@innkeeper/contract/secondFactor'
import { users } from '@innkeeper/contract/users'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
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
}
