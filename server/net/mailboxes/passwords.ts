import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { MOST_APP_PASSWORDS } from '@innkeeper/contract/net/mailboxes/mail'
import { and, eq } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { hashOf, newPassword, setHash } from './hashes.ts'
import { applied, holdUser, userAnswered } from './startWorkflow.ts'
import { mailAppPasswords, mailboxUsers } from './tables.ts'

export const passwordHandlers: Pick<
  Handlers<typeof contract>,
  'newPassword' | 'addAppPassword' | 'removeAppPassword'
> = {
  async newPassword({ id, version }, context) {
    const { db, app, staff, now } = context
    const { mailbox } = await holdUser(context, id, version)
    const password = newPassword()
    await setHash(app, db, mailbox.id, id, await hashOf(password))
    await db
      .update(mailboxUsers)
      .set({ passwordSetAt: now.toISOString(), ...nextVersion })
      .where(eq(mailboxUsers.id, id))
    const workflowId = await applied(db, mailbox.id, 'mailbox.user-change', staff)
    return { ...(await userAnswered(context, id, workflowId)), password }
  },

  async addAppPassword({ id, name }, context) {
    const { db, app, staff } = context
    const { mailbox, user } = await holdUser(context, id)
    if (user.appPasswords.length >= MOST_APP_PASSWORDS)
      throw refused(`A mailbox has at most ${MOST_APP_PASSWORDS} passwords of applications`, { name: 'One too many' })
    const [made] = await db
      .insert(mailAppPasswords)
      .values({ mailboxUserId: id, name, addedBy: staff.name })
      .returning({ id: mailAppPasswords.id })
    if (!made) throw new Error('an insert answered no row')
    const password = newPassword()
    await setHash(app, db, mailbox.id, id, await hashOf(password), made.id)
    await db.update(mailboxUsers).set(nextVersion).where(eq(mailboxUsers.id, id))
    const workflowId = await applied(db, mailbox.id, 'mailbox.user-change', staff)
    return { ...(await userAnswered(context, id, workflowId)), password }
  },

  async removeAppPassword({ id, key }, context) {
    const { db, app, staff } = context
    const { mailbox } = await holdUser(context, id)
    const [gone] = await db
      .delete(mailAppPasswords)
      .where(and(eq(mailAppPasswords.id, key), eq(mailAppPasswords.mailboxUserId, id)))
      .returning({ id: mailAppPasswords.id })
    if (!gone) throw notFound('password', key)
    await setHash(app, db, mailbox.id, id, null, key)
    await db.update(mailboxUsers).set(nextVersion).where(eq(mailboxUsers.id, id))
    return userAnswered(context, id, await applied(db, mailbox.id, 'mailbox.user-change', staff))
  },
}
