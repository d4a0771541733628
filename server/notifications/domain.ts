import { notifications as notificationsContract } from '@innkeeper/contract/notifications'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { notificationsHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const notifications: Domain = {
  calls: [calls('notifications', notificationsContract, notificationsHandlers)],
  tables,
  readScopes: { notifications: [] },
}
