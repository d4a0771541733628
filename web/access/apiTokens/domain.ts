import { type Domain, item, screen } from '../../domain.ts'

export const apiTokens = {
  screens: [
    screen('/tokens', { scope: 'api:token:create', title: 'API tokens' }, () => import('./ApiTokensScreen.tsx')),
    screen(
      '/tokens/create',
      { scope: 'api:token:create', title: 'Make API token', about: ['account'] },
      () => import('./ApiTokenCreateScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(91, 'API tokens', '/tokens', 'api:token:create')],
} satisfies Domain
