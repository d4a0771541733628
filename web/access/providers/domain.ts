import { type Domain, item, screen } from '../../domain.ts'

export const providers = {
  screens: [
    screen('/sign-in', { scope: 'users:provider:read', title: 'Sign-in' }, () => import('./SignInScreen.tsx')),
    screen(
      '/sign-in/create',
      { scope: 'users:provider:update', title: 'Add identity provider' },
      () => import('./ProviderCreateScreen.tsx'),
    ),
    screen(
      '/sign-in/$providerId',
      { scope: 'users:provider:read', title: 'Identity provider' },
      () => import('./ProviderScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(93, 'Sign-in', '/sign-in', 'users:provider:read')],
} satisfies Domain
