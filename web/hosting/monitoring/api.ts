import { monitoring } from '@innkeeper/contract/hosting/monitoring'
import { bind } from '../../kit/api/client.ts'

export const monitoringApi = bind('monitoring', monitoring)
