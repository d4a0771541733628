import { plans } from '@innkeeper/contract/plans'
import { bind } from '../kit/client.ts'

export const plansApi = bind('plans', plans)
