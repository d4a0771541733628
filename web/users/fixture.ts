import type { ScreenFixture } from '../screenFixture.ts'

/** The first administrator. */
export const fixture: ScreenFixture = async () => ({ '/users/edit/$userId': { userId: 1 } })
