import { and, eq, isNull, sql } from 'drizzle-orm'
import { checkRoom, withinPlan } from '../../hosting/plans/room.ts'
import { allNames } from '../../hosting/websites/names.ts'
import { readSite } from '../../hosting/websites/site.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { readWebsite } from '../../hosting/websites/view.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { mailAliases, mailboxes, mailboxUsers } from './tables.ts'

const isOrBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

/** The website that gets mail. 422 beside the field if it cannot have this domain. */
export async function websiteFor(db: Db, websiteId: number, domain: string | undefined) {
  const website = await readWebsite(db, websiteId)
  const why =
    website.kind === 'alias' || website.kind === 'staging'
      ? `a website of the kind ${website.kind} has no mail`
      : website.status === 'active'
        ? undefined
        : `it is ${website.status}`
  if (why) throw refused(`${website.domain}: ${why}`, { websiteId: why })
  const wanted = domain ?? website.domain
  const names = allNames(await readSite(db, websiteId))
  if (!names.some((name) => isOrBelow(name, wanted)))
    throw refused(`${wanted} is neither a name of ${website.domain} nor a domain above one`, {
      domain: `Not a name of ${website.domain}`,
    })
  return { website, domain: wanted }
}

/** Throws 422 if a website of another owner has this name. */
export async function refuseStrangers(db: Db, domain: string, ownerId: number | null): Promise<void> {
  const [other] = await db
    .select({ id: websites.id, ownerId: websites.ownerId })
    .from(websites)
    .where(and(eq(websites.domain, domain), isNull(websites.deletedAt)))
  if (other && ownerId !== null && other.ownerId !== ownerId)
    throw refused(`${domain} is a website of another owner`, { domain: 'Is a website of another owner' })
}

/**
 * 409 beside the field if the domain already has mail, or was deleted and its mail is still in the trash, unless the
 * caller sent `again`.
 */
export async function checkDomain(db: Db, domain: string, again = false): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${NAMES}, hashtext(${domain}))`)
  const [taken] = await db
    .select({ id: mailboxes.id })
    .from(mailboxes)
    .where(and(eq(mailboxes.domain, domain), isNull(mailboxes.deletedAt)))
  if (taken) throw conflict(`${domain} has mail already`, { fields: { domain: 'Has mail already' } })
  const [gone] = await rows<{ until: string; website: string | null }>(
    db,
    sql`select to_char(until, 'FMDD Mon YYYY') as until, website from (
        select m.deleted_at, w.domain as website, case when m.deleted_with_website then w.purge_after else m.purge_after end as until
        from mailboxes m left join websites w on w.website_id = m.website_id and m.deleted_with_website and w.purged_at is null
        where m.domain = ${domain} and m.deleted_at is not null) gone
      where until > now() order by deleted_at desc limit 1`,
  )
  if (gone && !again)
    throw conflict(
      `${domain} was deleted. Its mail is in the trash until ${gone.until}${gone.website ? ` with the website ${gone.website}` : ''}: restore it, or start with an empty domain`,
      {
        fields: {
          domain: 'Is in the trash',
          again: `Starts empty; the trash keeps the former mail until ${gone.until}`,
        },
      },
    )
}
const NAMES = 1_847_204 // key space of the advisory locks on mail addresses

/** The same check for an address, which is a mailbox or an alias. The caller has locked the mail domain. */
export async function checkAddress(db: Db, mailboxId: number, address: string, again = false): Promise<void> {
  const [user] = await db
    .select({ id: mailboxUsers.id })
    .from(mailboxUsers)
    .where(and(eq(mailboxUsers.address, address), isNull(mailboxUsers.deletedAt)))
  const [alias] = await db
    .select({ id: mailAliases.id })
    .from(mailAliases)
    .where(and(eq(mailAliases.mailboxId, mailboxId), eq(mailAliases.address, address)))
  if (user || alias)
    throw conflict(`${address} is ${user ? 'a mailbox' : 'an alias'} already`, {
      fields: { localPart: user ? 'Is a mailbox already' : 'Is an alias already' },
    })
  await checkGone(db, address, again)
}

/** Throws 409 beside the field if a mailbox of this address is in the trash, unless the caller has said `again`. */
export async function checkGone(db: Db, address: string, again = false): Promise<void> {
  const [gone] = await rows<{ until: string; name: string }>(
    db,
    sql`select to_char(purge_after, 'FMDD Mon YYYY') as until, name from mailbox_users
      where address = ${address} and deleted_at is not null and not deleted_with_domain and purge_after > now() order by deleted_at desc limit 1`,
  )
  if (gone && !again)
    throw conflict(
      `${address} belonged to ${gone.name || 'somebody'} and was deleted. Restore it, or give the address to somebody else`,
      {
        fields: {
          localPart: 'Was deleted lately',
          again: `Reuses the address; the trash keeps the former mail until ${gone.until}`,
        },
      },
    )
}

/**
 * The server for a new mail domain: the requested one, or that of the website if it has mail, or the mail server with
 * the fewest mail domains. 422 beside the field if there is none.
 */
export async function serverFor(
  db: Db,
  asked: number | undefined,
  website: { serverId: number } | undefined,
  field = 'serverId',
): Promise<number> {
  const able = sql`'dovecot' = any(t.services)`
  if (asked !== undefined) {
    const [found] = await rows<{ id: number; able: boolean; name: string }>(
      db,
      sql`select s.server_id as id, s.name, ${able} as able from servers s join server_types t on t.name = s.type
        where s.server_id = ${asked} and s.deleted_at is null`,
    )
    if (!found) throw refused(`There is no server ${asked}`, { serverId: 'Does not exist' })
    if (!found.able) throw refused(`${found.name} is no mail server`, { serverId: 'Is no mail server' })
    return found.id
  }
  const [best] = await rows<{ id: number }>(
    db,
    sql`select s.server_id as id from servers s join server_types t on t.name = s.type
      where s.deleted_at is null and s.status = 'up' and s.enrolled_at is not null and ${able}
        and (s.accepts_new or s.server_id = ${website?.serverId ?? 0})
      order by (s.server_id = ${website?.serverId ?? 0}) desc,
        (select count(*) from mailboxes m where m.server_id = s.server_id and m.deleted_at is null), s.server_id limit 1`,
  )
  if (!best) throw refused('No mail server accepts new mail domains', { [field]: 'No mail server accepts new ones' })
  return best.id
}

/** Throws 422 if the plan of the website's account does not allow so many more mailboxes. */
export async function checkMailboxRoom(db: Db, websiteId: number | null, more = 1, field = 'localPart'): Promise<void> {
  if (websiteId === null) return
  await checkRoom(db, await accountOf(db, websiteId), { mailboxes: more }, field)
}

/** Throws 422 if `work` gives the account of the website more mailboxes than its plan allows. */
export const withinPlanOf = async <T>(db: Db, websiteId: number | null, field: string, work: () => Promise<T>) =>
  websiteId === null ? work() : withinPlan(db, await accountOf(db, websiteId), field, work)

export async function accountOf(db: Db, websiteId: number): Promise<number> {
  const [site] = await db.select({ account: websites.systemUserId }).from(websites).where(eq(websites.id, websiteId))
  return site?.account ?? 0
}

/** Throws 422 if an address of the domain itself is neither a mailbox nor an alias; a catch-all would take its mail. */
export async function checkExist(
  db: Db,
  { id, domain, catchAll }: { id: number; domain: string; catchAll: string | null },
  addresses: readonly string[],
  field: string,
): Promise<void> {
  const own = addresses.filter((address) => address.endsWith(`@${domain}`))
  if (catchAll !== null || !own.length) return
  const [lacking] = await rows<{ address: string }>(
    db,
    sql`select t.address from unnest(${sql.param(own)}::text[]) t (address), regexp_replace(t.address, '[+][^@]*@', '@') plain
      where not exists (select from mailbox_users u where u.address = plain and u.deleted_at is null)
        and not exists (select from mail_aliases a where a.mailbox_id = ${id} and a.address = plain) limit 1`,
  )
  if (lacking)
    throw refused(`${lacking.address} does not exist`, {
      [field]: `${addresses.length > 1 ? `${lacking.address} is` : 'Is'} neither a mailbox nor an alias`,
    })
}
