import type { Notification } from '@innkeeper/contract/access/notifications'
import { readAgain } from '../../kit/api/readAgain.ts'
import { useAct } from '../../kit/look/useAct.ts'
import { notificationsApi } from './api.ts'

/** Marks as read: one, or with all that came before it. */
export function useRead() {
  const { busy, run } = useAct()
  const mark = (how: { read?: boolean; older?: boolean }) => (notification: Pick<Notification, '_id'>) =>
    run(async () => {
      await notificationsApi.read({ id: notification._id, ...how })
      await readAgain(['notifications'])
    })
  return { busy, read: mark({}), unread: mark({ read: false }), readAll: mark({ older: true }) }
}
