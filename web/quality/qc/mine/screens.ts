import { screen } from '../../../domain.ts'

const READ = ['qa:score-type:read', 'qa:score-grade:read'] as const
const manager = 'qa:manager:access'

/** Screens for which the specification has no paths: agents' own reviews, calibrations, sources, and reviews behind a figure. */
export const mineScreens = [
  screen('/qc-v2/mine', { scope: 'signedIn', title: 'My quality' }, () => import('./MineScreen.tsx')),
  screen(
    '/qc-v2/mine/review',
    { scope: 'signedIn', title: 'My review', about: ['review'] },
    () => import('./OwnReviewScreen.tsx'),
  ),
  screen(
    '/qc-v2/calibrations',
    { scope: READ, title: 'Calibrations' },
    () => import('../calibrations/CalibrationsScreen.tsx'),
  ),
  screen(
    '/qc-v2/calibrations/$calibrationId',
    { scope: READ, title: 'Calibration' },
    () => import('../calibrations/CalibrationScreen.tsx'),
  ),
  screen(
    '/qc-v2/statistics/reviews',
    { scope: 'qa:statistics:read', title: 'Reviews' },
    () => import('../statistics/ReviewsScreen.tsx'),
  ),
  screen('/qc-settings-v2/sources', { scope: manager, title: 'Sources' }, () => import('../sources/SourcesScreen.tsx')),
  screen(
    '/qc-settings-v2/sources/$sourceId',
    { scope: manager, title: 'Source' },
    () => import('../sources/SourceScreen.tsx'),
  ),
  screen(
    '/qc-settings-v2/customers',
    { scope: manager, title: 'Customer data' },
    () => import('../sources/CustomersScreen.tsx'),
  ),
  screen(
    '/qc-settings-v2/identities',
    { scope: manager, title: 'Agents of sources' },
    () => import('../sources/IdentitiesScreen.tsx'),
  ),
] as const
