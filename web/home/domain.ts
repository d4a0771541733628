import { type Domain, screen } from '../domain.ts'

export const home = {
  screens: [
    screen('/', { scope: 'signedIn', title: 'Home' }, () => import('./HomeScreen.tsx')),
    screen('$', { scope: 'signedIn', title: 'Page not found' }, () => import('../kit/frame/NotFound.tsx')),
  ],
} satisfies Domain
