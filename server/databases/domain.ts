import { databases as databasesContract } from '@innkeeper/contract/databases'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { databasesHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const databases: Domain = {
  calls: [calls('databases', databasesContract, databasesHandlers)],
  tables,
  readScopes: { databases: ['database:database:read'] },
}
