import { type Domain, item, screen } from '../../domain.ts'

export const log = {
  screens: [
    screen(
      '/action-logs',
      { scope: 'logs:action-logs:read', title: 'Action Logs', words: 'audit history' },
      () => import('./LogScreen.tsx'),
    ),
    screen(
      '/action-logs/$id',
      { scope: 'logs:action-logs:read', title: 'Log row' },
      () => import('./LogRowScreen.tsx'),
    ),
  ],
  sections: [
    {
      at: 90,
      name: 'changes',
      tab: 'overview',
      load: () => import('./ChangesOfSite.tsx'),
      reads: 'logs:action-logs:read',
      side: true,
    },
  ],
  area: 'Administration',
  menu: [item(58, 'Action logs', '/action-logs', 'logs:action-logs:read')],
  blocks: [
    {
      name: 'changes',
      title: 'Since your last visit',
      at: 80,
      reads: 'logs:action-logs:read',
      load: () => import('./ChangesBlock.tsx'),
    },
  ],
} satisfies Domain
