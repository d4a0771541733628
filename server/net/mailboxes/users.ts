import { weakness } from '@innkeeper/contract/kit/passwords'
import type { mailboxes as contract, MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { eq, sql } from 'drizzle-orm'
import { given } from '../../kit/db/given.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { step } from '../../kit/work/action.ts'
import { mailFolderRemove } from './actions.ts'
import { checkAddress, checkExist, checkMailboxRoom } from './create.ts'
import { hashOf, newPassword, setHash } from './hashes.ts'
import { refuseImported } from './imports/begin.ts'
import { refuseCatchAllLoop, refuseLoop } from './loops.ts'
import { refuseAboveAccount } from './senders/limits.ts'
import { applied, hold, holdUser, refuseOpposite, userAnswered } from './startWorkflow.ts'
import { statusOf } from './status.ts'
import { mailboxUsers } from './tables.ts'

type Names = 'createUser' | 'updateUser' | 'removeUser'

export const userHandlers: Pick<Handlers<typeof contract>, Names> = {
  async createUser({ id, localPart, name, quotaMb, password, again }, context) {
    const { db, app, staff, now } = context
    const mailbox = await hold(context, id)
    const address = `${localPart}@${mailbox.domain}`
    await checkAddress(db, id, address, again)
    await checkMailboxRoom(db, mailbox.websiteId)
    if (password) refuseWeak(password, [address, name ?? ''])
    const [made] = await db
      .insert(mailboxUsers)
      .values({
        ...{ mailboxId: id, localPart, address, name: name ?? '', quotaMb: Number(quotaMb) },
        passwordSetAt: now.toISOString(),
        createdBy: staff.id,
      })
      .returning({ id: mailboxUsers.id })
    if (!made) throw new Error('an insert answered no row')
    const chosen = password ?? newPassword()
    await setHash(app, db, id, made.id, await hashOf(chosen))
    context.status(201)
    const answer = await userAnswered(context, made.id, await applied(db, id, 'mailbox.user-create', staff))
    return { ...answer, ...(!password && { password: chosen }) }
  },

  async updateUser({ id, version, status, reason, until, password, ...fields }, context) {
    const { db, app, staff, now } = context
    const { mailbox, user } = await holdUser(context, id, version)
    if (fields.forwards) await checkExist(db, mailbox, fields.forwards, 'forwards')
    refuseMute({ ...user, ...given(fields) })
    const { quotaMb, hourlyLimit, spamScore, ...others } = fields
    if (quotaMb !== undefined && user.usedMb !== null && Number(quotaMb) < user.usedMb)
      throw refused(`${user.address} contains ${user.usedMb} MB: a quota of ${quotaMb} MB would refuse all its mail`, {
        quotaMb: `Holds ${user.usedMb} MB now`,
      })
    if (hourlyLimit && hourlyLimit !== user.hourlyLimit) await refuseAboveAccount(db, mailbox.id, Number(hourlyLimit))
    const from = others.autoReply?.from
    const last = others.autoReply?.until
    if (from && last && last < from)
      throw refused('The automatic reply ends before it begins', { 'autoReply.until': 'Before the first day' })
    if (password) {
      refuseWeak(password, [user.address, user.name])
      await setHash(app, db, mailbox.id, id, await hashOf(password))
    }
    await db
      .update(mailboxUsers)
      .set({
        ...given(others),
        ...statusOf({ status, reason, until }, now),
        ...(quotaMb !== undefined && { quotaMb: Number(quotaMb) }),
        ...(hourlyLimit !== undefined && { hourlyLimit: hourlyLimit === null ? null : Number(hourlyLimit) }),
        ...(spamScore !== undefined && { spamScore: spamScore === null ? null : Number(spamScore) }),
        ...(password && { passwordSetAt: now.toISOString() }),
        ...nextVersion,
      })
      .where(eq(mailboxUsers.id, id))
    if (fields.forwards) await refuseLoop(db, user.address, fields.forwards, 'forwards')
    return userAnswered(context, id, await applied(db, mailbox.id, 'mailbox.user-change', staff))
  },

  async removeUser({ id, version }, context) {
    const { db, app, staff, audit } = context
    const { mailbox, user } = await holdUser(context, id, version)
    await refuseImported(db, 'mailbox', id, user.address)
    await refuseOpposite(db, id, user.address)
    if (mailbox.catchAll === user.address)
      throw refused(`${user.address} is the catch-all address of ${mailbox.domain}: choose another first`)
    const { trashDays } = app.settings
    await db
      .update(mailboxUsers)
      .set({
        deletedAt: sql`now()`,
        purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)`,
        ...nextVersion,
      })
      .where(eq(mailboxUsers.id, id))
    await refuseCatchAllLoop(db, mailbox, 'id')
    const folder = step(
      mailFolderRemove,
      { mailboxId: mailbox.id, userId: id, keepDays: trashDays },
      { server: mailbox.serverId, resource: { type: 'mailbox-user', id, name: user.address } },
    )
    const workflowId = await applied(db, mailbox.id, 'mailbox.user-delete', staff, { after: [folder] })
    audit.of('mailbox-user', id)
    audit.workflow(workflowId)
    return { data: user, workflowId }
  },
}

/** 422 beside the field for a password that is easy to guess. */
function refuseWeak(password: string, words: readonly string[]): void {
  const why = weakness(password, words)
  if (why) throw refused(why, { password: why })
}

/** Throws 422 for an automatic reply of a mailbox that keeps no mail: what arrives is sent on before it is read. */
function refuseMute({ address, autoReply, forwards, keepCopy }: Partial<MailboxUser>): void {
  if (!autoReply || keepCopy || !forwards?.length) return
  throw refused(`${address} keeps no copy of what it forwards, and answers only what it keeps`, {
    keepCopy: 'Required for an automatic reply',
  })
}
