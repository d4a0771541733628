import { type Domain, item, screen } from '../../domain.ts'

export const recovery = {
  screens: [
    screen('/recoveries', { scope: 'users:user:update', title: 'Recoveries' }, () => import('./RecoveriesScreen.tsx')),
  ],
  area: 'Administration',
  menu: [item(94, 'Recoveries', '/recoveries', 'users:user:update')],
  waits: [
    {
      name: 'recoveries',
      at: 20,
      reads: 'users:user:update',
      noun: ['recovery to confirm', 'recoveries to confirm'],
      to: '/recoveries',
      load: () => import('./waiting.ts'),
    },
  ],
} satisfies Domain
