import { type Domain, item, screen } from '../../domain.ts'

export const accessReviews = {
  screens: [
    screen(
      '/access-reviews',
      { scope: 'users:access-review:read', title: 'Access reviews' },
      () => import('./AccessReviewsScreen.tsx'),
    ),
    screen(
      '/access-reviews/create',
      { scope: 'users:access-review:create', title: 'Begin access review' },
      () => import('./AccessReviewCreateScreen.tsx'),
    ),
    screen(
      '/access-reviews/$reviewId',
      { scope: 'users:access-review:read', title: 'Access review' },
      () => import('./AccessReviewScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(97, 'Access reviews', '/access-reviews', 'users:access-review:read')],
  subjects: { 'access-review': (id) => `/access-reviews/${id}` },
} satisfies Domain
