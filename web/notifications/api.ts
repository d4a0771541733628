import { notifications } from '@innkeeper/contract/notifications'
import { bind } from '../kit/api/client.ts'

export const notificationsApi = bind('notifications', notifications)
