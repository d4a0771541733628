import { plans } from '@innkeeper/contract/plans'
import { bind } from '../kit/api/client.ts'

export const plansApi = bind('plans', plans)
