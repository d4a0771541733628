import type { ScreenFixture } from '../screenFixture.ts'

export const fixture: ScreenFixture = async () => ({ '/action-logs/$id': { id: 1 } })
