import { type Domain, group, item, screen } from '../../domain.ts'

const audits = { scope: 'scrums:audit:read', title: 'Audits of a developer' } as const
const ofUser = () => import('./DevAuditScreen.tsx')

export const scrums = {
  screens: [
    screen(
      '/scrums/audits/all',
      { scope: 'scrums:audit:read', title: 'Scrum audits' },
      () => import('./AuditsScreen.tsx'),
    ),
    screen(
      '/scrums/create',
      { scope: 'scrums:audit:create', title: 'Create audit' },
      () => import('./AuditCreateScreen.tsx'),
    ),
    screen(
      '/scrums/edit/audits/$auditId',
      { scope: 'scrums:audit:update', title: 'Audit' },
      () => import('./AuditEditScreen.tsx'),
    ),
    screen('/scrums/dev-audit/$userId', audits, ofUser),
    screen('/dev-audit/$userId', audits, ofUser),
    screen(
      '/scrums/my',
      { scope: 'signedIn', title: 'My audits', about: ['audit'] },
      () => import('./MyAuditsScreen.tsx'),
    ),
    screen(
      '/scrums/components',
      { scope: 'scrums:component:read', title: 'Scrum components' },
      () => import('./ComponentsScreen.tsx'),
    ),
    screen(
      '/scrums/create/component',
      { scope: 'scrums:component:create', title: 'Create component' },
      () => import('./ComponentCreateScreen.tsx'),
    ),
    screen(
      '/scrums/edit/$componentId',
      { scope: 'scrums:component:update', needs: 'scrums:component:read', title: 'Edit component' },
      () => import('./ComponentEditScreen.tsx'),
    ),
    screen(
      '/scrums/settings',
      { scope: 'scrums:component:create', title: 'Scrum settings' },
      () => import('./SettingsScreen.tsx'),
    ),
  ],
  area: 'Desk',
  menu: [
    ...group('Dev scrum', [
      item(48, 'Audits', '/scrums/audits/all', 'scrums:audit:read', [
        '/scrums/create',
        '/scrums/edit/audits',
        '/scrums/dev-audit',
      ]),
      item(49, 'Components', '/scrums/components', 'scrums:component:read', [
        '/scrums/create/component',
        '/scrums/edit',
      ]),
      item(50, 'Settings', '/scrums/settings', 'scrums:component:create'),
    ]),
  ],
} satisfies Domain
