import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** An archive that does not exist: its page shows why it cannot be read. */
export const fixture: ScreenFixture = async ({ post, firstOf, server }) => {
  await post('/archive-imports', { serverId: server, path: '/backup/none.tar' })
  const id = await firstOf('/archive-imports')
  return { '/archive-imports/$id': { id } }
}
