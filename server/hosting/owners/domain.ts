import { owners as ownersContract } from '@innkeeper/contract/hosting/owners'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { ownersHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const owners: Domain = {
  calls: [calls('owners', ownersContract, ownersHandlers)],
  tables,
  quotes: [quotesIn('Owners of websites', 'The customer still has a contract', 'owners', sql`name || ' ' || email`)],
  readScopes: { owners: ['website:group:read'] },
}
