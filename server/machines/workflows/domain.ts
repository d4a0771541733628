import { workflows as workflowsContract } from '@innkeeper/contract/machines/workflows'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { workflowsHandlers } from './handlers.ts'
import { openWorkflows } from './holdings.ts'

export const workflows: Domain = {
  calls: [calls('workflows', workflowsContract, workflowsHandlers)],
  holdings: [openWorkflows],
}
