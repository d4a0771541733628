import { type Domain, item, screen } from '../../domain.ts'

export const servers = {
  screens: [
    screen('/server', { scope: 'server:server:read', title: 'Servers' }, () => import('./ServersScreen.tsx')),
    screen(
      '/server/create',
      { scope: 'server:server:create', title: 'Add server' },
      () => import('./enrolment/ServerCreateScreen.tsx'),
    ),
    screen('/server/$server', { scope: 'server:server:read', title: 'Server' }, () => import('./ServerScreen.tsx')),
    screen(
      '/server/edit/$server',
      { scope: 'users:department:update', needs: ['server:server:read', 'server:server:update'], title: 'Edit server' },
      () => import('./ServerEditScreen.tsx'),
    ),
  ],
  area: 'Infrastructure',
  menu: [item(7, 'Server', '/server', 'server:server:read')],
  subjects: {
    server: (id) => `/server/${id}`,
  },
  blocks: [
    {
      name: 'servers',
      title: 'Servers',
      at: 40,
      reads: 'server:server:read',
      load: () => import('./ServersBlock.tsx'),
    },
  ],
} satisfies Domain
