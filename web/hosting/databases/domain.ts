import { type Domain, group, item, screen } from '../../domain.ts'
import { isHosted } from '../websites/page/section.ts'

const list = { scope: 'database:database:read', title: 'Databases' } as const
const users = { scope: 'database:user:read', title: 'Database users' } as const

export const databases = {
  screens: [
    screen('/databases', list, () => import('./DatabasesScreen.tsx')),
    screen('/databases/list', list, () => import('./DatabasesScreen.tsx')),
    screen(
      '/databases/create',
      { scope: 'database:database:create', needs: ['website:website:read'], title: 'Create database' },
      () => import('./DatabaseCreateScreen.tsx'),
    ),
    screen('/databases/users/list', users, () => import('./users/UsersScreen.tsx')),
    screen(
      '/databases/users/create',
      {
        scope: 'database:user:create',
        needs: ['website:website:read', 'database:database:read'],
        title: 'Create database user',
      },
      () => import('./users/UserCreateScreen.tsx'),
    ),
    screen(
      '/databases/users/edit/$userId',
      {
        scope: 'database:user:update',
        needs: ['database:user:read', 'database:database:read'],
        title: 'Database user',
      },
      () => import('./users/UserEditScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: group('Databases', [
    item(25, 'Databases', '/databases/list', 'database:database:read', ['/databases']),
    item(26, 'Users', '/databases/users/list', 'database:user:read', [
      '/databases/users/create',
      '/databases/users/edit',
    ]),
  ]),
  subjects: {
    database: () => '/databases/list',
    'database-user': (id) => `/databases/users/edit/${id}`,
  },
  sections: [
    {
      at: 10,
      name: 'databases',
      tab: 'data',
      load: () => import('./DatabasesOfSite.tsx'),
      reads: 'database:database:read',
      when: isHosted,
    },
  ],
} satisfies Domain
