import { type Domain, screen } from '../domain.ts'

/** The home screen links to the list while anything is lost. */
export const lostSecrets = {
  screens: [
    screen('/lost-secrets', { scope: 'signedIn', title: 'Lost secrets' }, () => import('./LostSecretsScreen.tsx')),
  ],
} satisfies Domain
