import { databases as databasesContract } from '@innkeeper/contract/databases'
import type { Domain } from '../kit/app/domain.ts'
import { calls } from '../kit/http/api.ts'
import { databasesHandlers } from './handlers.ts'
import { measureDue } from './live/measure.ts'
import * as tables from './tables.ts'

export const databases: Domain = {
  calls: [calls('databases', databasesContract, databasesHandlers)],
  tables,
  schedules: [{ name: 'sizes of databases', everyMs: 60_000, work: measureDue }],
  readScopes: { databases: ['database:database:read'] },
}
