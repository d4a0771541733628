import type { ScreenFixture } from '../screenFixture.ts'

/** The leave of the first administrator. */
export const fixture: ScreenFixture = async () => ({ '/leaves/employee/$userId': { userId: 1 } })
