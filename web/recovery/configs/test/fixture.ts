import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** Collects the configuration of the practice server, which creates a version. */
export const fixture: ScreenFixture = async ({ post, firstOf, server }) => {
  await post('/config-orchestrator/collect', { serverIds: [server] })
  const version = await firstOf(`/config-orchestrator/config-restore/configs?server=${server}&service=nginx`)
  return { '/backups/config-resets/$version': { version } }
}
