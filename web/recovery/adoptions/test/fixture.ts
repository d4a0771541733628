import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** A server that was to be looked at, and has no agent. */
export const fixture: ScreenFixture = async ({ post, firstOf }) => {
  const server = await post('/cloud-management/servers', { name: 'adopted-1', type: 'adopted' })
  await post('/adoptions', { serverId: server.id })
  return { '/adoptions/$id': { id: await firstOf('/adoptions') } }
}
