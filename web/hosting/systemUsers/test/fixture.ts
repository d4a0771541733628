import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ systemUser }) => ({ '/system-users/edit/$id': { id: systemUser } })
