import { views as viewsContract } from '@innkeeper/contract/views'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { viewsHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const views: Domain = {
  calls: [calls('views', viewsContract, viewsHandlers)],
  tables,
  readScopes: { views: [] },
}
