import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, firstOf }) => {
  await post('/webhooks', { name: 'Shown', url: 'http://127.0.0.1:9/hook' })
  const webhookId = await firstOf('/webhooks')
  await post(`/webhooks/${webhookId}/test`)
  return { '/webhooks/$webhookId': { webhookId }, '/webhooks/edit/$webhookId': { webhookId } }
}
