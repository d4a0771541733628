import { notifications } from '@innkeeper/contract/access/notifications'
import { bind } from '../../kit/api/client.ts'

export const notificationsApi = bind('notifications', notifications)
