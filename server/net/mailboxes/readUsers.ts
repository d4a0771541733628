import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { websites } from '../../hosting/websites/tables.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { together } from './senders/limits.ts'
import { mailAppPasswords, mailboxes, mailboxUsers, mailSenders } from './tables.ts'

const MB = 1_048_576
const inMb = (bytes: number) => Math.round((bytes / MB) * 10) / 10

/** A stop on a former server of the mailbox stops nothing after a move. */
const stoppedAt = sql`(select max(s.stopped_at) from mail_senders s
  where s.mailbox_user_id = ${mailboxUsers.id} and s.server_id = ${mailboxes.serverId})`.mapWith(mailSenders.stoppedAt)

const accountLimit = sql<number>`(select ${together} from mailboxes m
    left join websites w on w.website_id = m.website_id left join system_users y on y.system_user_id = w.system_user_id
    left join plans p on p.plan_id = y.plan_id
  where m.mailbox_id = ${mailboxUsers.mailboxId})`

const selectUsers = (db: Db, which: SQL) =>
  db
    .select({ user: mailboxUsers, domain: mailboxes.domain, websiteStatus: websites.status, stoppedAt, accountLimit })
    .from(mailboxUsers)
    .innerJoin(mailboxes, eq(mailboxes.id, mailboxUsers.mailboxId))
    .leftJoin(websites, eq(websites.id, mailboxes.websiteId))
    .where(which)
    .orderBy(asc(mailboxUsers.address), asc(mailboxUsers.id))

const selectUsersByIds = byIds((db, isWanted) => selectUsers(db, isWanted(mailboxUsers.id)))

const selectAppPasswords = byIds((db, isWanted) =>
  db.select().from(mailAppPasswords).where(isWanted(mailAppPasswords.mailboxUserId)).orderBy(asc(mailAppPasswords.id)),
)

/** Mailboxes in the form of the contract, by address. */
export const readUsers = async (db: Db, which: SQL): Promise<MailboxUser[]> =>
  shapedUsers(db, await selectUsers(db, which))

/** As `readUsers`, in the order of `ids`. Missing ones are left out. */
export const readUsersInOrder = async (db: Db, ids: number[]): Promise<MailboxUser[]> =>
  inOrder(ids, await shapedUsers(db, await selectUsersByIds(db, ids)))

async function shapedUsers(db: Db, found: Awaited<ReturnType<typeof selectUsers>>): Promise<MailboxUser[]> {
  const ids = found.map(({ user }) => user.id)
  const apps = Map.groupBy(await selectAppPasswords(db, ids), ({ mailboxUserId }) => mailboxUserId)
  return found.map(
    ({
      user: { used, deletedAt: _, purgeAfter: __, deletedWithDomain: ___, ...user },
      domain,
      websiteStatus,
      stoppedAt,
      accountLimit,
    }) => ({
      ...user,
      domain,
      stoppedAt,
      accountLimit,
      suspended: websiteStatus === 'suspended',
      usedMb: used === null ? null : inMb(used),
      appPasswords: (apps.get(user.id) ?? []).map(({ mailboxUserId: _, ...one }) => one),
    }),
  )
}

/** One mailbox. Throws 404 if it is missing or deleted. */
export async function readUser(db: Db, id: number): Promise<MailboxUser> {
  const [found] = await readUsers(
    db,
    and(eq(mailboxUsers.id, id), isNull(mailboxUsers.deletedAt), isNull(mailboxes.deletedAt))!,
  )
  if (!found) throw notFound('mailbox', id)
  return found
}

export const liveUsers = (mailboxId: number) =>
  and(eq(mailboxUsers.mailboxId, mailboxId), isNull(mailboxUsers.deletedAt))!
