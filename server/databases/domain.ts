import { databases as databasesContract } from '@innkeeper/contract/databases'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { databasesHandlers } from './handlers.ts'
import { measureDue } from './live/measure.ts'
import { databasePart } from './part.ts'
import * as tables from './tables.ts'

export const databases: Domain = {
  calls: [calls('databases', databasesContract, databasesHandlers)],
  tables,
  schedules: [{ name: 'sizes of databases', everyMs: 60_000, work: measureDue }],
  websiteParts: [databasePart],
  readScopes: { databases: ['database:database:read'] },
}
