import { type Domain, item, screen } from '../../domain.ts'

export const roles = {
  screens: [
    screen('/roles', { scope: 'users:role:read', title: 'User roles' }, () => import('./RolesScreen.tsx')),
    screen(
      '/roles/create',
      { scope: 'users:role:create', needs: 'users:scope:read', title: 'Create role' },
      () => import('./RoleCreateScreen.tsx'),
    ),
    screen(
      '/roles/edit/$roleId',
      { scope: 'users:role:update', needs: ['users:role:read', 'users:scope:read'], title: 'Edit role' },
      () => import('./RoleEditScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(2, 'User roles', '/roles', 'users:role:read')],
} satisfies Domain
