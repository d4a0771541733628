import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  await post('/auth/elevations/rules', { way: 'at-once', scopes: ['dns:zone:read'], maxMinutes: 60 })
  return {}
}
