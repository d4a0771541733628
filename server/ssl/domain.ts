import { ssl as sslContract } from '@innkeeper/contract/ssl'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { sslHandlers } from './handlers.ts'
import { askWindows, renewDue } from './orders/renew.ts'
import { certificatePart } from './part.ts'
import * as tables from './tables.ts'

export const ssl: Domain = {
  calls: [calls('ssl', sslContract, sslHandlers)],
  tables,
  websiteParts: [certificatePart],
  subjects: { certificate: { see: 'ssl:cert:read', act: 'ssl:cert:delete' } },
  readScopes: { ssl: ['ssl:cert:read'] },
  schedules: [
    {
      name: 'certificates',
      everyMs: 30_000,
      async work(app) {
        await renewDue(app)
        await askWindows(app)
      },
    },
  ],
}
