import { redis as redisContract } from '@innkeeper/contract/redis'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { redisHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const redis: Domain = {
  calls: [calls('redis', redisContract, redisHandlers)],
  tables,
  readScopes: { redis: ['website:redis-cache:read'] },
}
