import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** The first administrator. */
export const fixture: ScreenFixture = async () => ({ '/profile/$userId': { userId: 1 } })
