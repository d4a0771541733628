import { apiTokens as contract } from '@innkeeper/contract/access/apiTokens'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { notifyOfExpiry } from './expiry.ts'
import { apiTokensHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const apiTokens: Domain = {
  calls: [calls('apiTokens', contract, apiTokensHandlers)],
  tables,
  readScopes: { apiTokens: ['api:token:create', 'api:token:read'] },
  schedules: [{ name: 'tokens that expire soon', everyMs: 3_600_000, work: notifyOfExpiry }],
}
