import { operation } from '@innkeeper/contract/desk/operation'
import { bind } from '../../kit/api/client.ts'

export const operationApi = bind('operation', operation)
