import type { ScreenFixture } from '../screenFixture.ts'

/** A version of the practice server, which a collection makes. */
export const fixture: ScreenFixture = async ({ post, firstOf, server }) => {
  await post('/config-orchestrator/collect', { serverIds: [server] })
  const version = await firstOf(`/config-orchestrator/config-restore/configs?server=${server}&service=nginx`)
  return { '/backups/config-resets/$version': { version } }
}
