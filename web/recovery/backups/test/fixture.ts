import type { ScreenFixture } from '../../../test/screenFixture.ts'

/** Practice hosts have no package source for the backup program, so the backup of the page fails. */
export const fixture: ScreenFixture = async ({ post, done, website, otherServer }) => {
  const server = await post('/backups/servers', { serverId: otherServer })
  await done(server.workflowId)
  const { data } = await post('/backups/backups', { websiteId: website, backupServerId: server.data.id })
  return { '/backups/$backupId/details': { backupId: data.id } }
}
