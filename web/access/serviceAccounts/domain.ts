import { type Domain, item, screen } from '../../domain.ts'

export const serviceAccounts = {
  screens: [
    screen(
      '/service-accounts',
      { scope: 'api:service-account:read', title: 'Service accounts' },
      () => import('./ServiceAccountsScreen.tsx'),
    ),
    screen(
      '/service-accounts/create',
      { scope: 'api:service-account:create', title: 'Create service account' },
      () => import('./ServiceAccountCreateScreen.tsx'),
    ),
    screen(
      '/service-accounts/edit/$accountId',
      { scope: 'api:service-account:update', needs: 'api:service-account:read', title: 'Edit service account' },
      () => import('./ServiceAccountEditScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(90, 'Service accounts', '/service-accounts', 'api:service-account:read')],
} satisfies Domain
