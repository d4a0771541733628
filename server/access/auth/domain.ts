import { auth as authContract } from '@innkeeper/contract/access/auth'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { authHandlers } from './handlers.ts'

export const auth: Domain = {
  calls: [calls('auth', authContract, authHandlers)],
}
