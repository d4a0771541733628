import { elevations as contract } from '@innkeeper/contract/access/elevations'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { closeElevations } from './ending.ts'
import { elevationsHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const elevations: Domain = {
  calls: [calls('elevations', contract, elevationsHandlers)],
  tables,
  readScopes: { elevations: [] }, // everybody sees their own
  rowScopes: { elevations: ['users:elevation:read'] },
  schedules: [{ name: 'elevations that ended', everyMs: 10_000, work: closeElevations }],
  quotes: [
    quotesIn(
      'Reasons of elevations',
      'They say why somebody had permissions, for auditors',
      'elevations',
      sql`reason || ' ' || coalesce(note, '')`,
    ),
  ],
}
