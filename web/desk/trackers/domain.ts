import { type Domain, group, item, screen } from '../../domain.ts'

const bugs = { scope: 'bug-report:bug:read', title: 'Bugs' } as const
const features = { scope: 'feature-request:feature:read', title: 'Feature requests' } as const
const tickets = { scope: 'internal-ticket:ticket:read', title: 'Internal tickets' } as const

const list = () => import('./ItemsScreen.tsx')
const board = () => import('./BoardScreen.tsx')
const archive = () => import('./ArchiveScreen.tsx')
const settings = () => import('./SettingsScreen.tsx')
const create = () => import('./CreateScreen.tsx')
const imports = () => import('./imports/ImportsScreen.tsx')
const oneImport = () => import('./imports/ImportScreen.tsx')
const one = () => import('./ItemScreen.tsx')

export const trackers = {
  screens: [
    screen('/internal-tickets', tickets, list),
    screen('/internal-tickets/tickets', tickets, list),
    screen('/internal-tickets/tickets/board', { ...tickets, title: 'Board of tickets' }, board),
    screen('/internal-tickets/tickets/archive', { ...tickets, title: 'Completed tickets' }, archive),
    screen(
      '/internal-tickets/tickets/settings',
      { scope: 'internal-ticket:settings:read', title: 'Settings of tickets' },
      settings,
    ),
    screen(
      '/internal-tickets/tickets/create',
      { scope: 'internal-ticket:ticket:create', needs: ['internal-ticket:ticket:read'], title: 'New ticket' },
      create,
    ),
    screen(
      '/internal-tickets/tickets/imports',
      { scope: 'internal-ticket:ticket:create', needs: ['internal-ticket:ticket:read'], title: 'Imports of tickets' },
      imports,
    ),
    screen(
      '/internal-tickets/tickets/imports/$importId',
      { scope: 'internal-ticket:ticket:create', needs: ['internal-ticket:ticket:read'], title: 'Import of tickets' },
      oneImport,
    ),
    screen('/internal-tickets/tickets/$id', { ...tickets, title: 'Ticket' }, one),
    screen('/internal-tickets/bugs', bugs, list),
    screen('/internal-tickets/bugs/board', { ...bugs, title: 'Board of bugs' }, board),
    screen(
      '/internal-tickets/bugs/archive',
      { scope: 'bug-report:bug:archive', needs: ['bug-report:bug:read'], title: 'Archived bugs' },
      archive,
    ),
    screen('/internal-tickets/bugs/settings', { scope: 'bug-report:status:read', title: 'Settings of bugs' }, settings),
    screen(
      '/internal-tickets/bugs/create',
      { scope: 'bug-report:bug:create', needs: ['bug-report:bug:read'], title: 'Report a bug' },
      create,
    ),
    screen(
      '/internal-tickets/bugs/imports',
      { scope: 'bug-report:bug:create', needs: ['bug-report:bug:read'], title: 'Imports of bugs' },
      imports,
    ),
    screen(
      '/internal-tickets/bugs/imports/$importId',
      { scope: 'bug-report:bug:create', needs: ['bug-report:bug:read'], title: 'Import of bugs' },
      oneImport,
    ),
    screen('/internal-tickets/bugs/$id', { ...bugs, title: 'Bug' }, one),
    screen('/internal-tickets/features', features, list),
    screen('/internal-tickets/features/board', { ...features, title: 'Board of feature requests' }, board),
    screen(
      '/internal-tickets/features/archive',
      {
        scope: 'feature-request:feature:archive',
        needs: ['feature-request:feature:read'],
        title: 'Archived feature requests',
      },
      archive,
    ),
    screen('/internal-tickets/features/settings', { ...features, title: 'Settings of feature requests' }, settings),
    screen(
      '/internal-tickets/features/release-note',
      { ...features, title: 'Release note' },
      () => import('./ReleaseNoteScreen.tsx'),
    ),
    screen(
      '/internal-tickets/features/create',
      {
        scope: 'feature-request:feature:create',
        needs: ['feature-request:feature:read'],
        title: 'Request a feature',
      },
      create,
    ),
    screen(
      '/internal-tickets/features/imports',
      {
        scope: 'feature-request:feature:create',
        needs: ['feature-request:feature:read'],
        title: 'Imports of feature requests',
      },
      imports,
    ),
    screen(
      '/internal-tickets/features/imports/$importId',
      {
        scope: 'feature-request:feature:create',
        needs: ['feature-request:feature:read'],
        title: 'Import of feature requests',
      },
      oneImport,
    ),
    screen('/internal-tickets/features/$id', { ...features, title: 'Feature request' }, one),
  ],
  area: 'Desk',
  menu: [
    ...group('Bug/features', [
      item(23, 'Bugs', '/internal-tickets/bugs', 'bug-report:bug:read'),
      item(24, 'Features', '/internal-tickets/features', 'feature-request:feature:read'),
    ]),
    item(51, 'Internal tickets', '/internal-tickets', 'internal-ticket:ticket:read'),
  ],
  failedAction: { name: 'report a bug', load: () => import('./ReportButton.tsx') },
  subjects: {
    bug: (id) => `/internal-tickets/bugs/${id}`,
    feature: (id) => `/internal-tickets/features/${id}`,
  },
  waits: [
    {
      name: 'internal-tickets',
      at: 70,
      reads: 'internal-ticket:ticket:read',
      noun: ['ticket of yours', 'tickets of yours'],
      to: '/internal-tickets/tickets?assignee=me&group=backlog,open,in-progress',
      load: () => import('./ticketsWaiting.ts'),
    },
    {
      name: 'bugs',
      at: 75,
      reads: 'bug-report:bug:read',
      noun: ['bug of yours', 'bugs of yours'],
      to: '/internal-tickets/bugs?assignee=me&group=backlog,open,in-progress',
      load: () => import('./bugsWaiting.ts'),
    },
    {
      name: 'features',
      at: 80,
      reads: 'feature-request:feature:read',
      noun: ['request of yours', 'requests of yours'],
      to: '/internal-tickets/features?assignee=me&group=backlog,open,in-progress',
      load: () => import('./featuresWaiting.ts'),
    },
  ],
} satisfies Domain
