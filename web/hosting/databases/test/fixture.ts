import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, done, website }) => {
  const { data, workflowId } = await post('/database/databases', { websiteId: website, name: 'shown_shop' })
  await done(workflowId)
  const user = await post('/database/users', {
    websiteId: website,
    username: 'shown_reader',
    databases: [{ id: data.id, privileges: 'read' }],
  })
  await done(user.workflowId)
  return { '/databases/users/edit/$userId': { userId: user.data.id } }
}
