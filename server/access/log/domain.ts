import { log as logContract } from '@innkeeper/contract/access/log'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { logHandlers } from './handlers.ts'
import { tellBroken, verifyDaily } from './watch.ts'

export const log: Domain = {
  calls: [calls('log', logContract, logHandlers)],
  readScopes: { log: ['logs:action-logs:read'] },
  schedules: [
    { name: 'verification of the action log', everyMs: 3_600_000, work: verifyDaily },
    { name: 'notice of a broken action log', everyMs: 60_000, work: tellBroken },
  ],
}
