import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ server }) => ({
  '/server/$server': { server },
  '/server/edit/$server': { server },
})
