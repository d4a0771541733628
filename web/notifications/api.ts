import { notifications } from '@innkeeper/contract/notifications'
import { bind } from '../kit/client.ts'

export const notificationsApi = bind('notifications', notifications)
