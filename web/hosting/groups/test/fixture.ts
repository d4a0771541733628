import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, website }) => {
  const { id } = await post('/groups', { ownerId: 1, mainWebsite: website })
  return { '/websites/groups/$id': { id } }
}
