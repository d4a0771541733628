import { type Domain, group, item, screen } from '../../domain.ts'

export const moves = {
  screens: [
    screen(
      '/website-migrations',
      { scope: 'website:migrations:read', title: 'Website Migrations List', words: 'move' },
      () => import('./MovesScreen.tsx'),
    ),
    screen(
      '/website-migrations/groups',
      { scope: 'website:migrations:read', title: 'Groups Migrations List' },
      () => import('./groups/GroupMovesScreen.tsx'),
    ),
    screen(
      '/website-migrations/groups/$id',
      { scope: 'website:migrations:read', title: 'Group Migrations List' },
      () => import('./groups/GroupMoveScreen.tsx'),
    ),
    screen(
      '/website-migrations/$id',
      { scope: 'website:migrations:read', title: 'View Website Migration' },
      () => import('./MoveScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [
    ...group('Website migrations', [
      item(67, 'List', '/website-migrations', 'website:migrations:read'),
      item(68, 'Groups', '/website-migrations/groups', 'website:migrations:read'),
    ]),
  ],
  subjects: {
    migration: (id) => `/website-migrations/${id}`,
  },
} satisfies Domain
