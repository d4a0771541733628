import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** The first administrator. */
export const fixture: ScreenFixture = async () => ({ '/users/edit/$userId': { userId: 1 } })
