import { type Domain, group, item, screen } from '../../domain.ts'

export const shifts = {
  screens: [
    screen(
      '/calendar/shifts',
      { scope: 'calendar:shift:read', title: 'Shifts', words: 'roster rota schedule swap' },
      () => import('./roster/ShiftsScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/manage',
      { scope: 'calendar:shift:create', needs: 'calendar:shift:read', title: 'Manage shifts' },
      () => import('./management/ManageScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/type',
      { scope: 'calendar:shift-type:read', title: 'Shift types' },
      () => import('./types/TypesScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/type/$shiftTypeId',
      {
        scope: 'calendar:shift-type:update',
        needs: ['calendar:shift-type:read', 'calendar:shift:read'],
        title: 'Shift type',
      },
      () => import('./types/TypeScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/automation',
      { scope: 'calendar:shift-automation:read', title: 'Shift automations' },
      () => import('./automations/AutomationsScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/automation/$id',
      {
        scope: 'calendar:shift-automation:update',
        needs: [
          'calendar:shift-automation:read',
          'calendar:shift:read',
          'calendar:shift-type:read',
          'calendar:shift-team:read',
        ],
        title: 'Shift automation',
      },
      () => import('./automations/AutomationScreen.tsx'),
    ),
  ],
  area: 'Planning',
  menu: [...group('Calendar', [item(21, 'Shifts', '/calendar/shifts', 'calendar:shift:read')])],
  subjects: {
    shift: () => '/calendar/shifts',
    'shift-type': (id) => `/calendar/shifts/type/${id}`,
    'shift-automation': (id) => `/calendar/shifts/automation/${id}`,
  },
  blocks: [
    { name: 'shifts', title: 'My shifts', at: 30, reads: 'signedIn', load: () => import('./NextShiftBlock.tsx') },
  ],
  waits: [
    {
      name: 'swaps',
      at: 40,
      reads: 'signedIn',
      noun: ['swap to answer', 'swaps to answer'],
      to: '/calendar/shifts?swaps=open',
      load: () => import('./swaps/waiting.ts'),
    },
  ],
} satisfies Domain
