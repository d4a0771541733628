import { views as viewsContract } from '@innkeeper/contract/access/views'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { viewsHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const views: Domain = {
  calls: [calls('views', viewsContract, viewsHandlers)],
  tables,
  quotes: [quotesIn('Saved views', 'Their owners delete them', 'views', sql`name || filters::text`)],
  readScopes: { views: [] },
}
