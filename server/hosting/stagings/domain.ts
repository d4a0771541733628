import { stagings as stagingsContract } from '@innkeeper/contract/hosting/stagings/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { stagingsHandlers } from './handlers.ts'
import { stagingWorkflows } from './lifecycle.ts'
import { mergePart } from './part.ts'
import * as tables from './tables.ts'

export const stagings: Domain = {
  calls: [calls('stagings', stagingsContract, stagingsHandlers)],
  workflows: [stagingWorkflows],
  tables,
  websiteParts: [mergePart],
}
