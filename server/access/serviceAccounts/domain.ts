import { serviceAccounts as contract } from '@innkeeper/contract/access/serviceAccounts'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { departmentOfUser } from '../../kit/app/departmentsOf.ts'
import { calls } from '../../kit/http/api.ts'
import { changed } from '../../kit/live/live.ts'
import { serviceAccountsHandlers } from './handlers.ts'
import { countOwned } from './read.ts'
import * as tables from './tables.ts'

export const serviceAccounts: Domain = {
  calls: [calls('serviceAccounts', contract, serviceAccountsHandlers)],
  tables,
  readScopes: { serviceAccounts: ['api:service-account:read'] },
  departmentsOf: { serviceAccounts: departmentOfUser },
  holdings: [
    {
      key: 'serviceAccounts',
      label: 'Service accounts',
      count: countOwned,
      async handOver(db, from, to) {
        await db.execute(sql`update service_accounts set owner_id = ${to.id}, version = version + 1, updated_at = now()
          where owner_id = ${from}`)
        await changed(db, 'serviceAccounts')
      },
    },
  ],
}
