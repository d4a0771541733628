import { type Domain, screen } from '../../domain.ts'

export const security = {
  screens: [screen('/security', { scope: 'signedIn', title: 'Security' }, () => import('./SecurityScreen.tsx'))],
} satisfies Domain
