import type { ScreenFixture } from '../screenFixture.ts'

export const fixture: ScreenFixture = async ({ server }) => ({
  '/server/$server': { server },
  '/server/edit/$server': { server },
})
