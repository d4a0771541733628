import { type Domain, group, item, screen } from '../../domain.ts'
import { isHosted } from '../../hosting/websites/page/section.ts'

export const vhosts = {
  screens: [
    screen('/vhost/cdn', { scope: 'vhost:vhost:read', title: 'CDN' }, () => import('./edges/CdnScreen.tsx')),
    screen(
      '/vhost/cdn/create',
      { scope: 'vhost:vhost:create', needs: 'vhost:origin:read', title: 'Put behind an edge' },
      () => import('./edges/CdnCreateScreen.tsx'),
    ),
    screen(
      '/vhost/origin',
      { scope: 'vhost:origin:read', title: 'Origin vhosts' },
      () => import('./origins/OriginScreen.tsx'),
    ),
    screen(
      '/vhost/origin/create',
      { scope: 'vhost:origin:create', needs: 'vhost:origin:read', title: 'Set PHP of a website' },
      () => import('./origins/OriginCreateScreen.tsx'),
    ),
  ],
  area: 'Infrastructure',
  menu: [
    ...group('Vhost', [
      item(5, 'CDN', '/vhost/cdn', 'vhost:vhost:read'),
      item(6, 'Origin', '/vhost/origin', 'vhost:origin:read'),
    ]),
  ],
  subjects: {
    vhost: () => '/vhost/cdn',
  },
  sections: [
    {
      at: 30,
      name: 'vhost',
      tab: 'overview',
      load: () => import('./origins/PhpOfSite.tsx'),
      reads: 'vhost:origin:read',
      when: isHosted,
    },
    {
      at: 10,
      name: 'edges',
      tab: 'edges',
      load: () => import('./edges/EdgesOfSite.tsx'),
      reads: 'vhost:vhost:read',
      when: isHosted,
    },
  ],
} satisfies Domain
