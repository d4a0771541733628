import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  await post('/sms/templates', { name: 'shown', body: 'The server {{server}} is down' })
  return { '/sms/templates/edit/$name': { name: 'shown' } }
}
