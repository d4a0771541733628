import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id } = await post('/auth/access-reviews', { name: 'Shown', dueOn: '2999-01-01' })
  return { '/access-reviews/$reviewId': { reviewId: id } }
}
