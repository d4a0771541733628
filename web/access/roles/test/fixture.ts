import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** The role of the first administrator. */
export const fixture: ScreenFixture = async () => ({ '/roles/edit/$roleId': { roleId: 1 } })
