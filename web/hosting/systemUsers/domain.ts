import { type Domain, item, screen } from '../../domain.ts'

export const systemUsers = {
  screens: [
    screen(
      '/system-users',
      { scope: 'system-user:user:read', title: 'System users' },
      () => import('./SystemUsersScreen.tsx'),
    ),
    screen(
      '/system-users/list',
      { scope: 'system-user:user:read', title: 'System users' },
      () => import('./SystemUsersScreen.tsx'),
    ),
    screen(
      '/system-users/create',
      {
        scope: 'system-user:user:create',
        needs: ['server:server:read', 'system-user:plan:read', 'website:group:read'],
        title: 'Create system user',
      },
      () => import('./SystemUserCreateScreen.tsx'),
    ),
    screen(
      '/system-users/edit/$id',
      { scope: 'system-user:user:read', title: 'System user' },
      () => import('./SystemUserScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [item(27, 'System users', '/system-users/list', 'system-user:user:read', ['/system-users'])],
  subjects: {
    'system-user': (id) => `/system-users/edit/${id}`,
  },
} satisfies Domain
