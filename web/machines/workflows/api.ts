import { workflows } from '@innkeeper/contract/machines/workflows'
import { bind } from '../../kit/api/client.ts'

export const workflowsApi = bind('workflows', workflows)
