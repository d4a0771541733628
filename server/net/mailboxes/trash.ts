import type { mailboxes as contract, TrashedMail } from '@innkeeper/contract/net/mailboxes/calls'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { step } from '../../kit/work/action.ts'
import { mailFolderRestore } from './actions.ts'
import { checkAddress, checkDomain, checkMailboxRoom, withinPlanOf } from './create.ts'
import { refuseLoop, refuseLoopsThrough } from './loops.ts'
import { answered, applied, begun, hold, refuseOpposite, userAnswered } from './startWorkflow.ts'
import { domainStep, mailItself, restoreSteps, rowOf } from './steps.ts'
import { mailboxes, mailboxUsers } from './tables.ts'

const SHOWN = 100

/** Deleted mail domains and mailboxes that can be restored, of one website or of all; latest deletion first. */
export async function readTrash(db: Db, websiteId?: number): Promise<TrashedMail[]> {
  const of = websiteId === undefined ? sql`` : sql`and m.website_id = ${websiteId}`
  const found = await rows<TrashedMail>(
    db,
    sql`select m.mailbox_id as id, 'domain' as kind, m.domain as name, m.version, s.name as "serverName",
        m.deleted_at as "deletedAt", m.purge_after as "purgeAfter"
      from mailboxes m join servers s on s.server_id = m.server_id
      where m.deleted_at is not null and not m.deleted_with_website and m.purge_after > now() ${of}
      union all
      select u.mailbox_user_id, 'mailbox', u.address, u.version, s.name, u.deleted_at, u.purge_after
      from mailbox_users u join mailboxes m on m.mailbox_id = u.mailbox_id and m.deleted_at is null
      join servers s on s.server_id = m.server_id
      where u.deleted_at is not null and not u.deleted_with_domain and u.purge_after > now() ${of}
      order by "deletedAt" desc limit ${SHOWN}`,
  )
  return found.map((one) => ({ ...one, deletedAt: isoOf(one.deletedAt), purgeAfter: isoOf(one.purgeAfter) }))
}

export const trashHandlers: Pick<Handlers<typeof contract>, 'restore' | 'restoreUser'> = {
  async restore({ id, version }, context) {
    const { db, staff, audit, now } = context
    const [gone] = await db
      .select()
      .from(mailboxes)
      .where(and(eq(mailboxes.id, id), isNotNull(mailboxes.deletedAt), eq(mailboxes.deletedWithWebsite, false)))
      .for('update')
    if (!gone) throw notFound('deleted mail domain', id)
    audit.before({ domain: gone.domain, purgeAfter: gone.purgeAfter })
    mayReturn(gone, version, now, gone.domain)
    await checkDomain(db, gone.domain, true)
    await withinPlanOf(db, gone.websiteId, 'websiteId', async () => {
      await db.update(mailboxes).set({ deletedAt: null }).where(eq(mailboxes.id, id))
      await usersFollow(db, id, false)
    })
    await refuseLoopsThrough(db, gone)
    const plan = [
      ...(await mailItself(db, gone.serverId)),
      ...restoreSteps(await rowOf(db, id), await takenBy(db, 'mailbox', id)),
      await domainStep(db, id),
    ]
    return answered(context, id, await begun(db, id, 'mailbox.restore', staff, plan))
  },

  async restoreUser({ id, version }, context) {
    const { db, staff, audit, now } = context
    const [gone] = await db
      .select()
      .from(mailboxUsers)
      .where(and(eq(mailboxUsers.id, id), isNotNull(mailboxUsers.deletedAt)))
    if (!gone) throw notFound('deleted mailbox', id)
    const mailbox = await hold(context, gone.mailboxId)
    await refuseOpposite(db, id, gone.address)
    audit.before({ address: gone.address, purgeAfter: gone.purgeAfter })
    mayReturn(gone, version, now, gone.address)
    await checkAddress(db, mailbox.id, gone.address, true)
    await checkMailboxRoom(db, mailbox.websiteId)
    await db
      .update(mailboxUsers)
      .set({ deletedAt: null, ...nextVersion })
      .where(and(eq(mailboxUsers.id, id), isNotNull(mailboxUsers.deletedAt)))
    await refuseLoop(db, gone.address, gone.forwards, 'forwards')
    const taken = await takenBy(db, 'mailbox-user', id)
    const on = { server: mailbox.serverId, resource: { type: 'mailbox-user', id, name: gone.address } }
    const folder = taken.length ? [step(mailFolderRestore, { mailboxId: mailbox.id, userId: id, taken }, on)] : []
    const workflowId = await applied(db, mailbox.id, 'mailbox.user-restore', staff, { before: folder })
    return userAnswered(context, id, workflowId)
  },
}

function mayReturn(
  gone: { version: number; purgeAfter: string | null },
  version: number | undefined,
  now: Date,
  name: string,
): void {
  if (version !== undefined && version !== gone.version)
    throw conflict(`${name} was changed by somebody else meanwhile`)
  if (!gone.purgeAfter || Date.parse(gone.purgeAfter) < now.getTime())
    throw refused(`${name} is no longer in the trash`)
}

/** Ids of the actions that moved mail into the trash, newest first; none if no server began with one. */
export async function takenBy(db: Db, type: 'mailbox' | 'mailbox-user', id: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select action_id::float8 as id from actions where resource_type = ${type} and resource_id = ${id}
      and name in ('mail-domain.remove', 'mail-folder.remove') and attempt > 0 order by action_id desc limit 50`,
  )
  return found.map(({ id }) => id)
}

/** Deletes the mailboxes of a deleted mail domain, or restores those that were deleted with it. */
export const usersFollow = (db: Db, mailboxId: number, isGone: boolean) =>
  isGone
    ? db
        .update(mailboxUsers)
        .set({ deletedAt: sql`now()`, deletedWithDomain: true })
        .where(and(eq(mailboxUsers.mailboxId, mailboxId), isNull(mailboxUsers.deletedAt)))
    : db
        .update(mailboxUsers)
        .set({ deletedAt: null, deletedWithDomain: false })
        .where(and(eq(mailboxUsers.mailboxId, mailboxId), eq(mailboxUsers.deletedWithDomain, true)))
