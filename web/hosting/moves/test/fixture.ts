import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, addWebsite, otherServer }) => {
  const moving = await addWebsite('moving.example')
  const { id } = await post(`/websites/${moving}/migrate`, { targetServerId: otherServer })
  return { '/website-migrations/$id': { id }, '/website-migrations/groups/$id': { id: 1 } }
}
