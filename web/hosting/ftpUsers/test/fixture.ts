import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, done, website }) => {
  const { data, workflowId } = await post('/ftp/ftp-users', { websiteId: website, name: 'shown' })
  await done(workflowId)
  return { '/ftp-users/edit/$ftpUserId': { ftpUserId: data.id } }
}
