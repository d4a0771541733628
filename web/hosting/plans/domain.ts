import { type Domain, item, screen } from '../../domain.ts'

export const plans = {
  screens: [
    screen('/plans', { scope: 'system-user:plan:read', title: 'All Plans' }, () => import('./PlansScreen.tsx')),
  ],
  area: 'Hosting',
  menu: [item(70, 'Plans', '/plans', 'system-user:plan:read')],
  subjects: {
    plan: () => '/plans',
  },
} satisfies Domain
