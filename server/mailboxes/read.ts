import type { Mailbox, MailboxDetails, MailboxUser } from '@innkeeper/contract/mailboxes'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { notFound } from '../kit/http/errors.ts'
import { owners } from '../owners/tables.ts'
import { servers } from '../servers/tables.ts'
import { websites } from '../websites/tables.ts'
import { mailAliases, mailAppPasswords, mailboxes, mailboxUsers } from './tables.ts'

const MB = 1_048_576
const inMb = (bytes: number) => Math.round((bytes / MB) * 10) / 10

/** Mail domains in the form of the contract, by domain. Deleted ones are included. */
export async function readMailboxes(db: Db, which: SQL): Promise<Mailbox[]> {
  const found = await db
    .select({
      mailbox: mailboxes,
      websiteDomain: websites.domain,
      websiteStatus: websites.status,
      ownerId: websites.ownerId,
      ownerName: owners.name,
      serverName: servers.name,
      address: servers.address,
    })
    .from(mailboxes)
    .innerJoin(servers, eq(servers.id, mailboxes.serverId))
    .leftJoin(websites, eq(websites.id, mailboxes.websiteId))
    .leftJoin(owners, eq(owners.id, websites.ownerId))
    .where(which)
    .orderBy(asc(mailboxes.domain), asc(mailboxes.id))
  const sums = await sumsOf(
    db,
    found.map(({ mailbox }) => mailbox.id),
  )
  return found.map(
    ({
      mailbox: {
        purgeAfter: _,
        deletedWithWebsite: __,
        deletedAt: ___,
        tlsTried: ____,
        applyAt: _____,
        tlsProblem,
        tlsLookAt,
        tlsFingerprint,
        tlsIssuer,
        tlsNotAfter,
        ...mailbox
      },
      websiteStatus,
      ...names
    }) => ({
      ...mailbox,
      certificate:
        tlsFingerprint && tlsNotAfter
          ? { fingerprint: tlsFingerprint, issuer: tlsIssuer, notAfter: tlsNotAfter }
          : null,
      certificateProblem: tlsProblem === null ? null : { why: tlsProblem, nextTry: tlsLookAt },
      websiteDomain: names.websiteDomain,
      ownerId: names.ownerId,
      ownerName: names.ownerName,
      serverName: names.serverName,
      host: names.address && `mail.${mailbox.domain}`,
      suspended: websiteStatus === 'suspended',
      users: 0,
      quotaMb: 0,
      usedMb: 0,
      ...sums.get(mailbox.id),
    }),
  )
}

async function sumsOf(db: Db, ids: number[]) {
  if (!ids.length) return new Map<number, { users: number; quotaMb: number; usedMb: number }>()
  const found = await rows<{ id: number; users: number; quota: number; used: number }>(
    db,
    sql`select mailbox_id as id, count(*)::int as users, sum(quota_mb)::float8 as quota,
        coalesce(sum(used), 0)::float8 as used
      from mailbox_users where mailbox_id = any(${sql.param(ids)}::int[]) and deleted_at is null group by mailbox_id`,
  )
  return new Map(found.map(({ id, users, quota, used }) => [id, { users, quotaMb: quota, usedMb: inMb(used) }]))
}

/** One mail domain. Throws 404 if it is missing or deleted. */
export async function readMailbox(db: Db, id: number): Promise<Mailbox> {
  const [found] = await readMailboxes(db, and(eq(mailboxes.id, id), isNull(mailboxes.deletedAt))!)
  if (!found) throw notFound('mail domain', id)
  return found
}

/** Mailboxes in the form of the contract, by address. */
export async function readUsers(db: Db, which: SQL): Promise<MailboxUser[]> {
  const found = await db
    .select({ user: mailboxUsers, domain: mailboxes.domain })
    .from(mailboxUsers)
    .innerJoin(mailboxes, eq(mailboxes.id, mailboxUsers.mailboxId))
    .where(which)
    .orderBy(asc(mailboxUsers.address), asc(mailboxUsers.id))
  const ids = found.map(({ user }) => user.id)
  const apps = ids.length
    ? await db
        .select()
        .from(mailAppPasswords)
        .where(inArray(mailAppPasswords.mailboxUserId, ids))
        .orderBy(asc(mailAppPasswords.id))
    : []
  return found.map(({ user: { used, deletedAt: _, purgeAfter: __, deletedWithDomain: ___, ...user }, domain }) => ({
    ...user,
    domain,
    usedMb: used === null ? null : inMb(used),
    appPasswords: apps.flatMap(({ mailboxUserId, ...one }) => (mailboxUserId === user.id ? one : [])),
  }))
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

export const aliasesOf = (db: Db, mailboxId: number) =>
  db
    .select({
      id: mailAliases.id,
      localPart: mailAliases.localPart,
      address: mailAliases.address,
      targets: mailAliases.targets,
    })
    .from(mailAliases)
    .where(eq(mailAliases.mailboxId, mailboxId))
    .orderBy(asc(mailAliases.localPart))

export async function readDetails(db: Db, id: number): Promise<MailboxDetails> {
  const mailbox = await readMailbox(db, id)
  return { ...mailbox, items: await readUsers(db, liveUsers(id)), aliases: await aliasesOf(db, id) }
}
