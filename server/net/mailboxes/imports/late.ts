import { eq, inArray, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { secrets } from '../../../kit/app/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextTry } from '../../../kit/work/automatic.ts'
import { eachOf } from '../../../kit/work/round.ts'
import type { Workflow } from '../../../kit/work/workflow.ts'
import { readMailbox } from '../read.ts'
import { readUser } from '../readUsers.ts'
import { mailFetches } from '../tables.ts'
import { beginImport, KIND } from './begin.ts'

/** Mail that was on its way when the former fetch began has an earlier time. */
const OVERLAP_MS = 2 * 86_400_000
/** People hear of a fetch when it has failed this often in a row. */
const TOLD_AT = 3
const lateKeyOf = (userId: number) => `mail-fetch/${userId}`

export interface Fetched {
  userId: number
  login: string
  password: string
  /** What arrived at the former server before is here. */
  since: Date
}
export interface From {
  host: string
  port: number
  fingerprint: string | undefined
  until: string
  by: number
}

/** Fetches the mail of these mailboxes from now on. What was fetched before goes on from where it is. */
export async function fetchLate(app: App, db: Db, boxes: readonly Fetched[], from: From): Promise<void> {
  const { host, port, until, by, fingerprint = null } = from
  for (const { userId, login, password, since } of boxes) {
    await app.secrets.write(db, lateKeyOf(userId), password)
    const set = { host, port, login, fingerprint, until, startedById: by }
    await db
      .insert(mailFetches)
      .values({ mailboxUserId: userId, ...set, since: since.toISOString() })
      .onConflictDoUpdate({
        target: mailFetches.mailboxUserId,
        set: { ...set, nextAt: sql`now()`, endedAt: null, problem: null, failures: 0 },
      })
  }
}

/** Ends fetches and forgets their passwords. Answers how many went on until now. */
export async function endLate(db: Db, userIds: readonly number[]): Promise<number> {
  if (!userIds.length) return 0
  const ended = await db
    .update(mailFetches)
    .set({ endedAt: sql`now()` })
    .where(sql`${inArray(mailFetches.mailboxUserId, [...userIds])} and ${mailFetches.endedAt} is null`)
    .returning({ id: mailFetches.mailboxUserId })
  await db.delete(secrets).where(inArray(secrets.name, userIds.map(lateKeyOf)))
  return ended.length
}

interface Due {
  id: number
  isGone: boolean
}
/** Begins the fetches that are due: one at a time on each server, so that other work there goes on. */
export async function fetchDue(app: App): Promise<number> {
  const due = await rows<Due>(
    app.db,
    sql`select distinct on (m.server_id) f.mailbox_user_id as id,
        u.deleted_at is not null or m.deleted_at is not null as "isGone"
      from mail_fetches f join mailbox_users u on u.mailbox_user_id = f.mailbox_user_id
        join mailboxes m on m.mailbox_id = u.mailbox_id
      where f.ended_at is null and f.next_at <= now()
        and not exists (select from workflows w join mailboxes o on o.mailbox_id = w.subject_id
          where w.kind = ${KIND} and w.ended_at is null and w.started_by_id is null and o.server_id = m.server_id)
      order by m.server_id, f.next_at`,
  )
  const later = (id: number, why: string) =>
    app.db
      .update(mailFetches)
      .set({ problem: why, nextAt: sql`now() + interval '1 hour'` })
      .where(eq(mailFetches.mailboxUserId, id))
  await eachOf(app, 'late mail could not be fetched', due, (one) => app.db.transaction((tx) => fetchOne(tx, one)), {
    refused: ({ id }, why) => later(id, why.message),
    failed: ({ id }) => later(id, 'Innkeeper could not begin: its log says why'),
  })
  return due.length
}

async function fetchOne(tx: Db, { id, isGone }: Due): Promise<void> {
  const [row] = await tx.select().from(mailFetches).where(eq(mailFetches.mailboxUserId, id)).for('update')
  if (!row || row.endedAt) return
  if (isGone) {
    await endLate(tx, [id])
    return
  }
  const user = await readUser(tx, id)
  const mailbox = await readMailbox(tx, user.mailboxId)
  const since = Math.floor((Date.parse(row.fetchedAt ?? row.since) - OVERLAP_MS) / 1000)
  const from = {
    ...{ host: row.host, port: row.port, login: row.login, key: lateKeyOf(id), since: Math.max(0, since) },
    ...(row.fingerprint !== null && { fingerprint: row.fingerprint }),
  }
  await beginImport(tx, { mailbox, user, from, by: { id: null, name: 'Innkeeper' } })
  // the last fetch begins at the end of the time
  await tx
    .update(mailFetches)
    .set({
      nextAt: sql`now() + case when until <= now() then interval '1 hour' else least(interval '1 hour', until - now()) end`,
    })
    .where(eq(mailFetches.mailboxUserId, id))
}

/** Notes what came. */
export async function lateFetched(tx: Db, workflowId: number): Promise<void> {
  const [found] = await rows<{ id: number; isLast: boolean }>(
    tx,
    sql`update mail_fetches f set fetched_at = w.started_at, problem = null, failures = 0,
        added = f.added + coalesce((a.output ->> 'added')::int, 0)
      from actions a join workflows w on w.workflow_id = a.workflow_id
      where a.workflow_id = ${workflowId} and a.name = 'mail-import.run' and f.mailbox_user_id = a.resource_id
      returning f.mailbox_user_id as id, f.until <= w.started_at as "isLast"`,
  )
  if (found?.isLast) await endLate(tx, [found.id])
}

/** Notes why a fetch failed. Innkeeper tries again by itself, also after the end of the time. */
export async function lateFailed(tx: Db, { id }: Workflow, { why }: { why: string }): Promise<void> {
  const [found] = await tx
    .select({ row: mailFetches })
    .from(mailFetches)
    .where(
      sql`${mailFetches.mailboxUserId} = (select resource_id from actions where workflow_id = ${id} and name = 'mail-import.run')`,
    )
  if (!found) return
  const { mailboxUserId, host, failures, until, startedById } = found.row
  const isOver = Date.parse(until) < Date.now() && failures + 1 >= TOLD_AT
  await tx
    .update(mailFetches)
    .set({
      problem: why,
      failures: failures + 1,
      nextAt: sql`least(${nextTry(failures + 1).toISOString()}::timestamptz, now() + interval '1 hour')`,
    })
    .where(eq(mailFetches.mailboxUserId, mailboxUserId))
  if (isOver) await endLate(tx, [mailboxUserId])
  if (failures + 1 !== TOLD_AT) return
  const { address, mailboxId } = await readUser(tx, mailboxUserId)
  await notify(tx, {
    to: [startedById],
    reason: 'server',
    level: 'warning',
    title: `Mail for ${address} cannot be fetched from ${host}`,
    body: isOver
      ? `${why}. The time is over: nothing more is fetched.`
      : `${why}. Innkeeper tries again each hour until the date that you chose.`,
    link: `/mailboxes/edit/${mailboxId}`,
  })
}
