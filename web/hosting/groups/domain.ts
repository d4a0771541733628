import { type Domain, item, screen } from '../../domain.ts'

export const groups = {
  screens: [
    screen(
      '/websites/groups',
      { scope: 'website:group:read', title: 'Website groups' },
      () => import('./GroupsScreen.tsx'),
    ),
    screen(
      '/websites/groups/$id',
      { scope: 'website:group:read', title: 'Website group' },
      () => import('./GroupScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [item(55, 'Website groups', '/websites/groups', 'website:group:read')],
  subjects: {
    group: (id) => `/websites/groups/${id}`,
  },
  sections: [
    { at: 40, name: 'group', tab: 'overview', load: () => import('./GroupOfSite.tsx'), reads: 'website:group:read' },
  ],
} satisfies Domain
