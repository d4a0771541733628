import { type Domain, item, screen } from '../../domain.ts'

const versions = { scope: 'config-restore:configs:read', title: 'Config resets' } as const

export const configs = {
  screens: [
    screen('/backups/config-resets', versions, () => import('./VersionsScreen.tsx')),
    screen(
      '/backups/config-resets/$version',
      { ...versions, title: 'Configuration' },
      () => import('./VersionScreen.tsx'),
    ),
    screen(
      '/backups/config-reset-action-logs',
      { scope: 'config-restore:logs:read', title: 'Config reset action logs' },
      () => import('./ResetsScreen.tsx'),
    ),
    screen(
      '/backups/config-collection-logs',
      { scope: 'backup:logs:read', title: 'Config collection logs' },
      () => import('./CollectionsScreen.tsx'),
    ),
  ],
  area: 'Backups',
  menu: [
    item(66, 'Config resets', '/backups/config-resets', 'config-restore:configs:read', [
      '/backups/config-reset-action-logs',
      '/backups/config-collection-logs',
    ]),
  ],
  serverSections: [{ name: 'configuration', at: 10, load: () => import('./ConfigOfServer.tsx') }],
  subjects: { config: (id) => `/backups/config-resets/${id}` },
} satisfies Domain
