import { redis as redisContract } from '@innkeeper/contract/hosting/redis'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { cachesOfAccount } from './accountPart.ts'
import { redisHandlers, redisWorkflows } from './handlers.ts'
import { cachePart } from './part.ts'
import * as tables from './tables.ts'

export const redis: Domain = {
  calls: [calls('redis', redisContract, redisHandlers)],
  workflows: [redisWorkflows],
  tables,
  websiteParts: [cachePart],
  accountParts: [cachesOfAccount],
  readScopes: { redis: ['website:redis-cache:read'] },
}
