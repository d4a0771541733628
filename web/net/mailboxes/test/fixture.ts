import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post, done, website, mailServer }) => {
  const { data, workflowId } = await post('/mailbox/mailboxes', { websiteId: website, serverId: mailServer })
  await done(workflowId)
  const user = await post(`/mailbox/mailboxes/${data.id}/users`, { localPart: 'kari', name: 'Kari Nordmann' })
  await done(user.workflowId)
  return {
    '/mailboxes/edit/$mailboxId': { mailboxId: data.id },
    '/mailboxes/users/edit/$userId': { userId: user.data.id },
  }
}
