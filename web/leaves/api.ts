import { leaves } from '@innkeeper/contract/leaves'
import { bind } from '../kit/client.ts'

export const leavesApi = bind('leaves', leaves)
