import { type Domain, item, screen } from '../../domain.ts'

export const websites = {
  screens: [
    screen('/websites', { scope: 'website:website:read', title: 'Websites' }, () => import('./WebsitesScreen.tsx')),
    screen(
      '/websites/create',
      {
        scope: 'website:website:create',
        needs: ['server:server:read', 'system-user:plan:read', 'website:group:read'],
        title: 'Create website',
      },
      () => import('./creation/WebsiteCreateScreen.tsx'),
    ),
    screen(
      '/websites/$id',
      { scope: 'website:website:read', title: 'Website' },
      () => import('./page/WebsiteScreen.tsx'),
    ),
    screen(
      '/website-orchestrator',
      { scope: 'website:website:read', title: 'Resources' },
      () => import('./resources/ResourcesScreen.tsx'),
    ),
    screen(
      '/website-orchestrator/$websiteId/$resourceType/$resourceId',
      { scope: 'website:website:read', title: 'Orchestrator Resource' },
      () => import('./resources/ResourceScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [
    item(54, 'Websites', '/websites', 'website:website:read'),
    item(69, 'Website orchestrator resources', '/website-orchestrator', 'website:website:read'),
  ],
  subjects: {
    website: (id) => `/websites/${id}`,
  },
  sections: [
    {
      at: 10,
      name: 'work',
      tab: 'workflows',
      load: () => import('./page/Workflows.tsx'),
      when: () => true,
      wide: true,
    },
    { at: 10, name: 'logs', tab: 'logs', load: () => import('./page/LogLines.tsx'), wide: true },
  ],
} satisfies Domain
