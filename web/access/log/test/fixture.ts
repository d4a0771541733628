import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async () => ({ '/action-logs/$id': { id: 1 } })
