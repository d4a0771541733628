import { type Domain, screen } from '../../domain.ts'

export const profiles = {
  screens: [
    screen(
      '/profile',
      { scope: 'signedIn', title: 'My profile', words: 'language time zone' },
      () => import('./OwnProfileScreen.tsx'),
    ),
    screen(
      '/profile/$userId',
      { scope: 'employee:profile:read', title: 'Profile' },
      () => import('./ProfileScreen.tsx'),
    ),
    screen('/profiles', { scope: 'employee:profile:read', title: 'Profiles' }, () => import('./ProfilesScreen.tsx')),
  ],
  subjects: {
    profile: (id) => `/profile/${id}`,
  },
} satisfies Domain
