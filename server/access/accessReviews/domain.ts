import { accessReviews as contract } from '@innkeeper/contract/access/accessReviews'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { accessReviewsHandlers } from './handlers.ts'
import { remindReviewers, reviewedAccess } from './reminders.ts'
import * as tables from './tables.ts'

export const accessReviews: Domain = {
  calls: [calls('accessReviews', contract, accessReviewsHandlers)],
  tables,
  readScopes: { accessReviews: ['users:access-review:read'] },
  schedules: [{ name: 'access reviews that are due', everyMs: 3_600_000, work: remindReviewers }],
  holdings: [reviewedAccess],
  quotes: [quotesIn('Notes of access reviews', 'Auditors read them', 'access_review_items', sql`coalesce(note, '')`)],
  async accountDeleted(db, { id }) {
    await db.execute(sql`delete from permission_uses where user_id = ${id}`)
  },
}
