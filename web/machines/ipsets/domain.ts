import { type Domain, item, screen } from '../../domain.ts'

export const ipsets = {
  screens: [
    screen(
      '/ipset/sets',
      { scope: 'ipset:set:read', title: 'IP sets', words: 'firewall ban block' },
      () => import('./SetsScreen.tsx'),
    ),
    screen(
      '/ipset/sets/create',
      { scope: 'ipset:set:create', title: 'Add IP set' },
      () => import('./SetCreateScreen.tsx'),
    ),
    screen('/ipset/sets/$setName', { scope: 'ipset:set:read', title: 'IP set' }, () => import('./SetScreen.tsx')),
  ],
  area: 'Infrastructure',
  menu: [item(4, 'IPset', '/ipset/sets', 'ipset:set:read')],
  subjects: {
    'ip-set': (_, name) => `/ipset/sets/${encodeURIComponent(name)}`,
  },
} satisfies Domain
