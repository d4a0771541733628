import { secondFactor as secondFactorContract } from '@innkeeper/contract/secondFactor'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { secondFactorHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const secondFactor: Domain = {
  calls: [calls('secondFactor', secondFactorContract, secondFactorHandlers)],
  tables,
}
