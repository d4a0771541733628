import type { ScreenFixture } from '../screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  await post('/sms/templates', { name: 'shown', body: 'The server {{server}} is down' })
  return { '/sms/templates/edit/$name': { name: 'shown' } }
}
