import { type Domain, item, screen } from '../../domain.ts'

export const operation = {
  screens: [
    screen(
      '/operation',
      { scope: 'operation:health:read', title: 'Operation', words: 'health faults alerts monitoring' },
      () => import('./OperationScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(95, 'Operation', '/operation', 'operation:health:read')],
} satisfies Domain
