import { type Domain, item, screen } from '../../domain.ts'

export const elevations = {
  screens: [
    screen('/elevations', { scope: 'signedIn', title: 'Elevations' }, () => import('./ElevationsScreen.tsx')),
    screen(
      '/elevations/rules',
      { scope: 'users:elevation:read', title: 'Rules of elevation' },
      () => import('./ElevationRulesScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(96, 'Elevations', '/elevations', 'signedIn')],
  waits: [
    {
      name: 'elevations',
      at: 21,
      reads: 'users:elevation:grant',
      noun: ['request for permissions to decide', 'requests for permissions to decide'],
      to: '/elevations?state=asked',
      load: () => import('./waiting.ts'),
    },
  ],
  subjects: { elevation: () => '/elevations' },
} satisfies Domain
