import { log as logContract } from '@innkeeper/contract/log'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { logHandlers } from './handlers.ts'

export const log: Domain = {
  calls: [calls('log', logContract, logHandlers)],
  readScopes: { log: ['logs:action-logs:read'] },
}
