import { leaves } from '@innkeeper/contract/planning/leaves/calls'
import { bind } from '../../kit/api/client.ts'

export const leavesApi = bind('leaves', leaves)
