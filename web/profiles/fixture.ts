import type { ScreenFixture } from '../screenFixture.ts'

/** The first administrator. */
export const fixture: ScreenFixture = async () => ({ '/profile/$userId': { userId: 1 } })
