import { type Domain, item, screen } from '../../domain.ts'

export const users = {
  screens: [
    screen('/users', { scope: 'users:user:read', title: 'Users' }, () => import('./UsersScreen.tsx')),
    screen(
      '/users/create',
      { scope: 'users:user:create', title: 'Create account' },
      () => import('./UserCreateScreen.tsx'),
    ),
    screen(
      '/users/edit/$userId',
      { scope: 'users:user:update', needs: 'users:user:read', title: 'Edit account' },
      () => import('./UserEditScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(1, 'Users', '/users', 'users:user:read')],
} satisfies Domain
