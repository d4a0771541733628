import { KEPT_DAYS, notifications as notificationsContract } from '@innkeeper/contract/access/notifications'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { notificationsHandlers } from './handlers.ts'
import * as tables from './tables.ts'
import { workflowNotices } from './workflows.ts'

export const notifications: Domain = {
  calls: [calls('notifications', notificationsContract, notificationsHandlers)],
  workflows: [workflowNotices],
  tables,
  retention: [{ table: 'notifications', old: sql`date < now() - make_interval(days => ${KEPT_DAYS})` }],
  quotes: [
    quotesIn('Notifications', 'Their readers clear them, and time does', 'notifications', sql`title || ' ' || body`),
  ],
  readScopes: { notifications: [] },
}
