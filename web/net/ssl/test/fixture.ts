import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, done, website }) => {
  const { data, workflowId } = await post('/ssl-controller/certificate/self-signed', { websiteId: website })
  await done(workflowId)
  return { '/ssl/$id': { id: data.id } }
}
