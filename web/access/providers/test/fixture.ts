import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const provider = { name: 'Shown', issuer: 'https://login.example.org', clientId: 'innkeeper' }
  const { id } = await post('/auth/providers', provider)
  return { '/sign-in/$providerId': { providerId: id } }
}
