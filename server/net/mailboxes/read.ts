import type { Mailbox, MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailMove } from '@innkeeper/contract/net/mailboxes/mailMove'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { owners } from '../../hosting/owners/tables.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { byIds, rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { liveUsers, readUsers } from './readUsers.ts'
import { mailAliases, mailboxes, mailboxUsers, mailMoves } from './tables.ts'

const MB = 1_048_576

const selectMailboxes = (db: Db, which: SQL) =>
  db
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
const selectMailboxesByIds = byIds((db, isWanted) => selectMailboxes(db, isWanted(mailboxes.id)))

/** Mail domains in the form of the contract, by domain. Deleted ones are included. */
const readMailboxes = async (db: Db, which: SQL): Promise<Mailbox[]> =>
  shapedMailboxes(db, await selectMailboxes(db, which))

/** As `readMailboxes`, in the order of `ids`. Missing ones are left out. */
export const readMailboxesInOrder = async (db: Db, ids: number[]): Promise<Mailbox[]> =>
  inOrder(ids, await shapedMailboxes(db, await selectMailboxesByIds(db, ids)))

async function shapedMailboxes(db: Db, found: Awaited<ReturnType<typeof selectMailboxes>>): Promise<Mailbox[]> {
  const ids = found.map(({ mailbox }) => mailbox.id)
  const moves = await movesOf(db, ids)
  const sums = new Map((await selectSums(db, ids)).map(({ id, ...sum }) => [id, sum]))
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
      move: moves.get(mailbox.id) ?? null,
      host: names.address && `mail.${mailbox.domain}`,
      suspended: websiteStatus === 'suspended',
      users: 0,
      quotaMb: 0,
      usedMb: 0,
      ...sums.get(mailbox.id),
    }),
  )
}

const selectMoves = rowsByIds<MailMove & { mailboxId: number }>(
  (isWanted) => sql`select mail_moves.mailbox_id as "mailboxId", mail_move_id as id, state, f.name as "fromName",
      t.name as "toName", moved_at as "movedAt", waits_for as "waitsFor", mail_moves.workflow_id as "workflowId"
    from mail_moves join servers f on f.server_id = source_id join servers t on t.server_id = target_id
    where ${isWanted(mailMoves.mailboxId)} and state not in ('done', 'rolled-back')`,
)

/** Moves that have not ended. */
async function movesOf(db: Db, ids: number[]): Promise<Map<number, MailMove>> {
  const found = await selectMoves(db, ids)
  return new Map(
    found.map(({ mailboxId, ...move }) => [mailboxId, { ...move, movedAt: move.movedAt && isoOf(move.movedAt) }]),
  )
}

const selectSums = rowsByIds<{ id: number; users: number; quotaMb: number; usedMb: number }>(
  (isWanted) => sql`select mailbox_id as id, count(*)::int as users, sum(quota_mb)::float8 as "quotaMb",
      round(coalesce(sum(used), 0) / ${sql.raw(String(MB))}, 1)::float8 as "usedMb"
    from mailbox_users where ${isWanted(mailboxUsers.mailboxId)} and deleted_at is null group by mailbox_id`,
)

/** One mail domain. Throws 404 if it is missing or deleted. */
export async function readMailbox(db: Db, id: number): Promise<Mailbox> {
  const [found] = await readMailboxes(db, and(eq(mailboxes.id, id), isNull(mailboxes.deletedAt))!)
  if (!found) throw notFound('mail domain', id)
  return found
}

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
