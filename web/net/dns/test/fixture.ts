import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id } = await post('/dns/zones', { domain: 'shown.example' })
  return { '/dns/zone/$id': { id }, '/dns/zone/$id/create': { id } }
}
