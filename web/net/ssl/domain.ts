import { type Domain, item, screen } from '../../domain.ts'
import { isHosted } from '../../hosting/websites/page/section.ts'

export const ssl = {
  screens: [
    screen(
      '/ssl',
      { scope: 'ssl:cert:read', title: 'SSL certificates', words: 'https tls' },
      () => import('./SslScreen.tsx'),
    ),
    screen(
      '/ssl/create',
      {
        scope: 'ssl:cert:create',
        needs: ['ssl:cert:read', 'website:website:read'],
        title: 'Add certificate',
        about: ['website', 'kind'],
      },
      () => import('./orders/CertificateCreateScreen.tsx'),
    ),
    screen('/ssl/$id', { scope: 'ssl:cert:read', title: 'Certificate' }, () => import('./CertificateScreen.tsx')),
  ],
  area: 'Infrastructure',
  menu: [item(10, 'SSL certificates', '/ssl', 'ssl:cert:read')],
  subjects: {
    certificate: (id) => `/ssl/${id}`,
  },
  sections: [
    {
      at: 10,
      name: 'https',
      tab: 'names',
      load: () => import('./HttpsOfSite.tsx'),
      reads: 'ssl:cert:read',
      when: isHosted,
    },
  ],
  blocks: [
    {
      name: 'expiring',
      title: 'Expiring certificates',
      at: 50,
      reads: 'ssl:cert:read',
      load: () => import('./ExpiringBlock.tsx'),
    },
  ],
} satisfies Domain
