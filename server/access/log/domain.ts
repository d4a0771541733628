import { log as logContract } from '@innkeeper/contract/access/log'
import { isNotNull } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { actionLogChecks } from '../../kit/audit/tables.ts'
import { lastCheck } from '../../kit/audit/verifyChain.ts'
import { calls } from '../../kit/http/api.ts'
import { logHandlers } from './handlers.ts'
import { notifyBroken, verifyDaily } from './watch.ts'

export const log: Domain = {
  troubles: [
    {
      prefix: 'log chain',
      isTold: true,
      async find({ db }) {
        const check = await lastCheck(db, isNotNull(actionLogChecks.endedAt))
        if (check?.brokenPosition == null) return []
        const detail = `Row ${check.brokenPosition} of the chain is ${check.brokenReason}.`
        const title = 'The action log was changed outside Innkeeper'
        return [{ key: 'log chain', title, detail, level: 'error', link: '/action-logs' }]
      },
    },
  ],
  calls: [calls('log', logContract, logHandlers)],
  readScopes: { log: ['logs:action-logs:read'] },
  schedules: [
    { name: 'verification of the action log', everyMs: 3_600_000, work: verifyDaily },
    { name: 'notice of a broken action log', everyMs: 60_000, work: notifyBroken },
  ],
}
