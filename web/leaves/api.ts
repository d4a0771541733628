import { leaves } from '@innkeeper/contract/leaves'
import { bind } from '../kit/api/client.ts'

export const leavesApi = bind('leaves', leaves)
