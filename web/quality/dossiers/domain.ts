import { type Domain, group, item, screen } from '../../domain.ts'

const GUARD = ['dossier:comment:create', 'dossier:comment:read'] as const
const plus = <const S extends string>(...scopes: S[]) => [...GUARD, ...scopes] as const
const reviewCategories = { scope: plus('dossier:review-category:read'), title: 'Review categories' } as const
const reviewCategoriesScreen = () => import('./words/ReviewCategoriesScreen.tsx')

export const dossiers = {
  // literal paths come before {userId}: the router prefers them
  screens: [
    screen(
      '/dossiers',
      { scope: GUARD, needs: 'dossier:user:read', title: 'Agent profiles' },
      () => import('./people/DossiersScreen.tsx'),
    ),
    screen(
      '/dossiers/add',
      { scope: plus('dossier:user:create'), needs: 'dossier:user:read', title: 'Add dossier' },
      () => import('./people/AddScreen.tsx'),
    ),
    screen('/dossiers/mine', { scope: 'signedIn', title: 'Said of me' }, () => import('./feedback/MineScreen.tsx')),
    screen(
      '/dossiers/teams',
      { scope: plus('dossier:team:read'), title: 'Teams' },
      () => import('./teams/TeamsScreen.tsx'),
    ),
    screen(
      '/dossiers/teams/create',
      { scope: plus('dossier:team:create'), title: 'Create team' },
      () => import('./teams/TeamCreateScreen.tsx'),
    ),
    screen(
      '/dossiers/teams/$teamId',
      { scope: plus('dossier:team:read'), title: 'Team' },
      () => import('./teams/TeamScreen.tsx'),
    ),
    screen(
      '/dossiers/chart',
      { scope: ['dossier:team:read', 'dossier:membership:read'], title: 'Organisation chart' },
      () => import('./teams/ChartScreen.tsx'),
    ),
    screen(
      '/dossiers/positions',
      { scope: 'dossier:position:read', title: 'Positions' },
      () => import('./positions/PositionsScreen.tsx'),
    ),
    screen(
      '/dossiers/memberships',
      { scope: 'dossier:membership:read', title: 'Memberships' },
      () => import('./memberships/MembershipsScreen.tsx'),
    ),
    screen(
      '/dossiers/categories',
      { scope: 'dossier:feedback-category:read', title: 'Feedback categories' },
      () => import('./words/CategoriesScreen.tsx'),
    ),
    screen(
      '/dossiers/types',
      { scope: 'dossier:feedback-type:read', title: 'Feedback types' },
      () => import('./words/TypesScreen.tsx'),
    ),
    screen('/review-categories', reviewCategories, reviewCategoriesScreen),
    screen('/dossiers/review-categories', reviewCategories, reviewCategoriesScreen),
    screen(
      '/dossiers/talks/templates',
      { scope: 'dossier:feedback:create', title: 'Talk templates' },
      () => import('./talks/TemplatesScreen.tsx'),
    ),
    screen('/dossiers/talks/$talkId', { scope: 'signedIn', title: 'Talk' }, () => import('./talks/TalkScreen.tsx')),
    screen(
      '/dossiers/$userId',
      { scope: GUARD, needs: 'dossier:user:read', title: 'Dossier' },
      () => import('./timeline/DossierScreen.tsx'),
    ),
    screen(
      '/dossiers/$userId/update',
      { scope: plus('dossier:user:update'), needs: 'dossier:user:read', title: 'Change dossier' },
      () => import('./people/UpdateScreen.tsx'),
    ),
    screen(
      '/dossiers/$userId/talks/create',
      { scope: plus('dossier:feedback:create'), needs: 'dossier:user:read', title: 'Plan a talk' },
      () => import('./talks/TalkCreateScreen.tsx'),
    ),
    screen(
      '/dossiers/$userId/feedbacks/create',
      { scope: plus('dossier:feedback:create'), needs: 'dossier:user:read', title: 'Write feedback' },
      () => import('./feedback/CreateScreen.tsx'),
    ),
    screen(
      '/dossiers/$userId/feedbacks/$feedbackId',
      { scope: plus('dossier:feedback:read'), title: 'Feedback' },
      () => import('./feedback/EntryScreen.tsx'),
    ),
    screen(
      '/dossiers/$userId/feedbacks/$feedbackId/update',
      { scope: plus('dossier:feedback:update'), needs: 'dossier:feedback:read', title: 'Change feedback' },
      () => import('./feedback/UpdateScreen.tsx'),
    ),
    screen(
      '/qc/dossiers',
      { scope: GUARD, needs: 'dossier:user:read', title: 'Dossiers' },
      () => import('./people/QcDossiersScreen.tsx'),
    ),
    screen(
      '/qc/dossiers/$userId',
      { scope: GUARD, needs: 'dossier:user:read', title: 'Comments on a dossier' },
      () => import('./timeline/QcDossierScreen.tsx'),
    ),
  ],
  subjects: { dossier: (id) => `/dossiers/${id}` },
  area: 'Support quality',
  menu: [
    ...group('QC', [item(19, 'Dossiers', '/qc/dossiers', GUARD)]),
    item(45, 'Agent profiles', '/dossiers', GUARD),
    item(46, 'Teams', '/dossiers/teams', plus('dossier:team:read')),
    item(47, 'Review categories', '/review-categories', plus('dossier:review-category:read'), [
      '/dossiers/review-categories',
    ]),
    ...group('Organisation', [
      item(47.1, 'Chart', '/dossiers/chart', ['dossier:team:read', 'dossier:membership:read']),
      item(47.2, 'Memberships', '/dossiers/memberships', 'dossier:membership:read'),
      item(47.3, 'Positions', '/dossiers/positions', 'dossier:position:read'),
      item(47.4, 'Feedback types', '/dossiers/types', 'dossier:feedback-type:read'),
      item(47.5, 'Feedback categories', '/dossiers/categories', 'dossier:feedback-category:read'),
      item(47.6, 'Talk templates', '/dossiers/talks/templates', 'dossier:feedback:create'),
    ]),
  ],
  blocks: [
    {
      name: 'said-of-me',
      title: 'Said of me',
      at: 65,
      reads: 'signedIn',
      load: () => import('./feedback/MineBlock.tsx'),
    },
  ],
  waits: [
    {
      name: 'said-of-me',
      at: 60,
      reads: 'signedIn',
      noun: ['entry about you', 'entries about you'],
      to: '/dossiers/mine',
      load: () => import('./feedback/waiting.ts'),
    },
  ],
} satisfies Domain
