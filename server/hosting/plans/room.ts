import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

export const nouns = { databases: 'databases', mailboxes: 'mailboxes', ftpUsers: 'FTP users' } as const
export type Counted = keyof typeof nouns
export type Counts = Record<Counted, number>
export const kinds = Object.keys(nouns) as Counted[] // the keys of the object above

/** What the websites `w` of the condition have of everything that a plan counts. */
export const countsIn = (websites: ReturnType<typeof sql>) => sql`
  (select count(*)::int from databases d join websites w on w.website_id = d.website_id
    where ${websites} and d.deleted_at is null) as databases,
  (select count(*)::int from mailbox_users b join mailboxes m on m.mailbox_id = b.mailbox_id and m.deleted_at is null
    join websites w on w.website_id = m.website_id where ${websites} and b.deleted_at is null) as mailboxes,
  (select count(*)::int from ftp_users f join websites w on w.website_id = f.website_id
    where ${websites} and f.deleted_at is null) as "ftpUsers"`

/** Counts of websites that come to another account. */
export async function countsOf(db: Db, websiteIds: readonly number[]): Promise<Counts> {
  const [found] = await rows<Counts>(
    db,
    sql`select ${countsIn(sql`w.website_id = any(${sql.param([...websiteIds])}::int[])`)}`,
  )
  return found ?? { databases: 0, mailboxes: 0, ftpUsers: 0 }
}

interface Room {
  plan: string
  username: string
  used: Counts
  most: Counts
}
/** Websites that an unfinished move brings to an account: they count from its start. */
async function arrivingAt(db: Db, systemUserId: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select (s->>'id')::int as id from website_migrations m, jsonb_array_elements(m.sites) s
      where m.type = 'website' and m.status in ('running', 'paused', 'failed')
        and (s->'to'->>'systemUserId')::int = ${systemUserId}`,
  )
  return found.map(({ id }) => id)
}

/** What an account has and may have. */
async function roomOf(db: Db, systemUserId: number): Promise<Room | undefined> {
  const arriving = await arrivingAt(db, systemUserId)
  const also = arriving.length ? sql`or w.website_id = any(${sql.param(arriving)}::int[])` : sql``
  const [found] = await rows<Omit<Room, 'used'> & Counts>(
    db,
    sql`select p.name as plan, u.username,
        jsonb_build_object('databases', p.databases, 'mailboxes', p.mailboxes, 'ftpUsers', p.ftp_users) as most,
        ${countsIn(sql`(w.system_user_id = u.system_user_id ${also}) and w.deleted_at is null`)}
      from system_users u join plans p on p.plan_id = u.plan_id where u.system_user_id = ${systemUserId}`,
  )
  if (!found) return undefined
  const { plan, username, most, ...used } = found
  return { plan, username, most, used }
}

/** Two acts at the same time count each other. */
const hold = (db: Db, systemUserId: number) =>
  db.execute(sql`select from system_users where system_user_id = ${systemUserId} for update`)

/** Why an account cannot have `more`; undefined if its plan allows it. */
const whyFull = ({ plan, username, used, most }: Room, more: Partial<Counts>) => {
  const kind = kinds.find((one) => (more[one] ?? 0) > 0 && used[one] + (more[one] ?? 0) > most[one])
  return (
    kind && {
      text: `The plan ${plan} allows ${most[kind]} ${nouns[kind]}, and ${username} has ${used[kind]}`,
      hint: `Its plan allows no more ${nouns[kind]}`,
    }
  )
}

/** Why the plan of an account does not allow `more`, in words; undefined if it does. */
export async function fullFor(db: Db, systemUserId: number, more: Partial<Counts>): Promise<string | undefined> {
  const room = await roomOf(db, systemUserId)
  return room && whyFull(room, more)?.text
}

/** Throws 422 beside the field if the plan of an account does not allow `more`. Each way to a limit calls this or `withinPlan`. */
export async function checkRoom(db: Db, systemUserId: number, more: Partial<Counts>, field: string): Promise<void> {
  await hold(db, systemUserId)
  const room = await roomOf(db, systemUserId)
  const full = room && whyFull(room, more)
  if (full) throw refused(full.text, { [field]: full.hint })
}

/** Why nothing, or not so much, can be added to an account: it would use more disk than its plan allows, by its last report. */
export async function overDisk(db: Db, systemUserId: number, more = 0): Promise<string | undefined> {
  const moreMb = Math.ceil(more / 1_048_576)
  const [over] = await rows<{ username: string; used: number; plan: string; most: number }>(
    db,
    sql`select u.username, coalesce(u.disk_used_mb, 0) as used, p.name as plan, p.disk_mb as most
      from system_users u join plans p on p.plan_id = u.plan_id
      where u.system_user_id = ${systemUserId} and coalesce(u.disk_used_mb, 0) + ${moreMb}::bigint > p.disk_mb`,
  )
  const comes = moreMb ? `, ${moreMb} MB come` : ''
  return (
    over && `${over.username} uses ${over.used} MB of disk${comes}, and the plan ${over.plan} allows ${over.most} MB`
  )
}

/** Throws 422 beside the field if an account has no disk left in its plan for these bytes. */
export async function checkDisk(db: Db, systemUserId: number, field: string, more = 0): Promise<void> {
  const over = await overDisk(db, systemUserId, more)
  if (over) throw refused(over, { [field]: over })
}

/**
 * Throws 422 if `work` brings an account over its plan, as a restore that brings back what belongs to a website. What
 * the account had too much of before stays.
 */
export async function withinPlan<T>(db: Db, systemUserId: number, field: string, work: () => Promise<T>): Promise<T> {
  await hold(db, systemUserId)
  const before = await roomOf(db, systemUserId)
  const result = await work()
  const after = await roomOf(db, systemUserId)
  if (after) {
    const more = Object.fromEntries(kinds.map((kind) => [kind, after.used[kind] - (before?.used[kind] ?? 0)]))
    const used = before?.used ?? { databases: 0, mailboxes: 0, ftpUsers: 0 }
    const full = whyFull({ ...after, used }, more)
    if (full) throw refused(full.text, { [field]: full.hint })
  }
  return result
}
