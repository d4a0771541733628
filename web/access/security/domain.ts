import { type Domain, screen } from '../../domain.ts'

export const security = {
  screens: [
    screen(
      '/security',
      { scope: 'signedIn', title: 'Security', words: 'password passkey second factor sessions' },
      () => import('./SecurityScreen.tsx'),
    ),
  ],
} satisfies Domain
