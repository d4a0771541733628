import { plans } from '@innkeeper/contract/hosting/plans'
import { bind } from '../../kit/api/client.ts'

export const plansApi = bind('plans', plans)
