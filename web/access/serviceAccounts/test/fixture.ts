import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id } = await post('/service-accounts', { name: 'Shown' })
  await post('/api-tokens', { name: 'Shown', scopes: ['dns:zone:read'], serviceAccountId: id })
  return { '/service-accounts/edit/$accountId': { accountId: id } }
}
