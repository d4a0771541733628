import { redis } from '@innkeeper/contract/redis'
import { bind } from '../kit/api/client.ts'

export const redisApi = bind('redis', redis)
