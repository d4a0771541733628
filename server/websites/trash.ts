import type { websites as contract } from '@innkeeper/contract/websites'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Handlers } from '../kit/api.ts'
import type { App } from '../kit/app.ts'
import { type Db, rows } from '../kit/db.ts'
import { conflict, Refusal, refused } from '../kit/errors.ts'
import { holdAccount, lockOf } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { begin, checkVersion, startOn } from './begin.ts'
import { allParts, stepsIn } from './parts.ts'
import { readSite } from './site.ts'
import { purging, restoration, type Taken } from './steps.ts'
import { websites } from './tables.ts'
import { readWebsite } from './view.ts'

/** What one may do with a website that lies in the trash. */
export const trashHandlers: Pick<Handlers<typeof contract>, 'restore' | 'purge'> = {
  async restore({ id, version }, context) {
    const { db, audit } = context
    const website = await trashed(db, id)
    audit.before(website)
    checkVersion(website, version)
    await checkFree(db, id, website.domain)
    const site = await readSite(db, id)
    await holdAccount(db, site.systemUser.id)
    const taken = await takenBy(db, id, site.systemUser.id)
    // another website of it lives: nobody took it away
    if (!(await bringAccount(db, site.systemUser.id))) taken.account = []
    const [row] = await db
      .update(websites)
      .set({ status: 'creating', deletedAt: null })
      .where(eq(websites.id, id))
      .returning({ statusBefore: websites.statusBefore })
    const plan = restoration(site, row?.statusBefore ?? 'active', taken, await stepsIn('restore', db, site))
    return begin(context, id, 'website.restore', plan, { locks: [lockOf(site.systemUser.id)] })
  },

  async purge({ id, domain, version }, context) {
    const { db, audit } = context
    const website = await trashed(db, id)
    audit.before(website)
    checkVersion(website, version)
    if (domain !== website.domain)
      throw refused(`${domain} is not ${website.domain}`, { domain: `Type ${website.domain}` })
    return begin(context, id, 'website.purge', await purgePlan(db, id))
  },
}

async function trashed(db: Db, id: number) {
  const website = await readWebsite(db, id)
  if (website.status !== 'deleted') throw refused(`${website.domain} is ${website.status}: it is not in the trash`)
  return website
}

/** The name may be somebody's again. */
async function checkFree(db: Db, id: number, domain: string): Promise<void> {
  const [other] = await db
    .select({ id: websites.id, status: websites.status })
    .from(websites)
    .where(and(eq(websites.domain, domain), isNull(websites.deletedAt)))
  if (other && other.id !== id)
    throw conflict(`${domain} is website ${other.id} by now (${other.status}). Rename or delete that one first.`, {
      fields: { domain: `Is website ${other.id}` },
    })
}

/** The account's row lives again, unless its name is somebody else's by now. Answers whether it had been taken away. */
async function bringAccount(db: Db, systemUserId: number): Promise<boolean> {
  const [gone] = await db
    .select()
    .from(systemUsers)
    .where(and(eq(systemUsers.id, systemUserId), isNotNull(systemUsers.deletedAt)))
  if (!gone) return false
  const { serverId, username } = gone
  const [other] = await db
    .select({ id: systemUsers.id })
    .from(systemUsers)
    .where(and(eq(systemUsers.serverId, serverId), eq(systemUsers.username, username), isNull(systemUsers.deletedAt)))
  if (other) throw conflict(`The account ${username} is somebody else's on that server by now`)
  await db.update(systemUsers).set({ deletedAt: null }).where(eq(systemUsers.id, systemUserId))
  return true
}

/** The actions that took a website, its folder, its account and that one's pool away, newest first. */
async function takenBy(db: Db, websiteId: number, systemUserId: number): Promise<Taken & { pool: number[] }> {
  const found = await rows<{ id: number; name: string }>(
    db,
    sql`select action_id::float8 as id, name from actions where attempt > 0
      and ((resource_type in ('nginx-site', 'document-root') and resource_id = ${websiteId}
          and (name in ('nginx-site.remove', 'document-root.remove') or (name = 'nginx-site.ensure' and task = 'undo')))
        or (resource_type in ('system-user', 'php-pool') and resource_id = ${systemUserId}
          and name in ('system-user.remove', 'php-pool.remove')))
      order by action_id desc limit 200`,
  )
  const of = (...names: string[]) => found.flatMap(({ id, name }) => (names.includes(name) ? id : [])).slice(0, MOST)
  return {
    // a step back takes the logs as well
    site: of('nginx-site.remove', 'nginx-site.ensure'),
    root: of('document-root.remove'),
    account: of('system-user.remove'),
    pool: of('php-pool.remove'),
  }
}
const MOST = 50

/** All that is in the trash of a website; its account's home stays while another website of it may come back. */
async function purgePlan(db: Db, id: number) {
  const site = await readSite(db, id)
  const { site: sites, root, account, pool } = await takenBy(db, id, site.systemUser.id)
  const [others] = await rows<{ some: boolean }>(
    db,
    sql`select exists (select from websites where system_user_id = ${site.systemUser.id} and website_id <> ${id}
      and kind <> 'alias' and (deleted_at is null or purged_at is null)) as some`,
  )
  const taken = [...sites, ...root, ...(others?.some ? [] : [...account, ...pool])]
  for (const one of allParts()) taken.push(...((await one.taken?.(db, site)) ?? []))
  return taken.length ? purging(site, taken) : [] // all of it was left out of its deletion
}

const WHO = { id: null, name: 'Innkeeper' }

/** What has lain in the trash for its time goes for good. Of several nodes each website is one's: its lock is taken. */
export async function purgeOverdue({ db }: App): Promise<number> {
  const due = await rows<{ id: number }>(
    db,
    sql`select website_id as id from websites w where deleted_at is not null and purged_at is null and purge_after < now()
      and not exists (select from resource_locks l where l.resource = 'website:' || w.website_id)
      order by purge_after limit 50`,
  )
  for (const { id } of due)
    await db
      .transaction(async (tx) => {
        await startPurge(tx, id)
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal && error.status === 409)) throw error // another node was first
      })
  return due.length
}

async function startPurge(tx: Db, id: number): Promise<void> {
  const { domain } = await readWebsite(tx, id)
  await startOn(tx, { id, domain }, 'website.purge', await purgePlan(tx, id), WHO)
}
