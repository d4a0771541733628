import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** Opens the leave account of the first administrator. */
export const fixture: ScreenFixture = async () => ({ '/leaves/employee/$userId': { userId: 1 } })
