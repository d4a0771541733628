import { type Domain, screen } from '../../domain.ts'

export const notifications = {
  screens: [
    screen('/notifications', { scope: 'signedIn', title: 'Notifications' }, () => import('./NotificationsScreen.tsx')),
  ],
  blocks: [{ name: 'unread', title: 'Unread', at: 20, reads: 'signedIn', load: () => import('./UnreadBlock.tsx') }],
} satisfies Domain
