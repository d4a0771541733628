import { redis } from '@innkeeper/contract/hosting/redis'
import { bind } from '../../kit/api/client.ts'

export const redisApi = bind('redis', redis)
