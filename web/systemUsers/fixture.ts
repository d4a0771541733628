import type { ScreenFixture } from '../screenFixture.ts'

export const fixture: ScreenFixture = async ({ systemUser }) => ({ '/system-users/edit/$id': { id: systemUser } })
