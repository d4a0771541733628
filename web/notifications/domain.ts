import { type Domain, screen } from '../domain.ts'

export const notifications = {
  screens: [
    screen('/notifications', { scope: 'signedIn', title: 'Notifications' }, () => import('./NotificationsScreen.tsx')),
  ],
} satisfies Domain
