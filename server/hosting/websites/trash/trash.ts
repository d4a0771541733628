import type { websites as contract, Website } from '@innkeeper/contract/hosting/websites'
import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { withinPlan } from '../../plans/room.ts'
import { plans } from '../../plans/tables.ts'
import { holdAccount, lockOf } from '../../systemUsers/hold.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { readTrashedFamily, returnWith } from '../family.ts'
import { returnToGroup } from '../groupMembers.ts'
import { allParts, stepsIn } from '../parts/parts.ts'
import { takenName } from '../placement/takenName.ts'
import { readSite, readSites, withNames } from '../site.ts'
import type { Site } from '../siteSteps.ts'
import { begin, startOn } from '../startWorkflow.ts'
import { stateBefore } from '../stateBefore.ts'
import { purging, restoration, type Taken } from '../steps.ts'
import { websites } from '../tables.ts'
import { readWebsite, readWebsites } from '../view.ts'

/** Title of the round. */
const ROUND = 'a website of the trash could not be purged'

/** Calls on websites in the trash. */
export const trashHandlers: Pick<Handlers<typeof contract>, 'restore' | 'purge'> = {
  async restore({ id, version }, context) {
    const { db, audit } = context
    const website = await trashed(db, id)
    audit.before(website)
    checkVersion(website, version, website.domain)
    await checkParent(db, website)
    const family = await readTrashedFamily(db, id)
    const members = await readWebsites(db, family)
    for (const member of [website, ...members]) await checkFree(db, member)
    const site = await readSite(db, id)
    const returning = [website, ...members].filter(({ systemUserId }) => systemUserId === site.systemUser.id)
    await checkRoom(db, site.systemUser, returning)
    // its databases, mailboxes and FTP users come back with it
    const plan = await withinPlan(db, site.systemUser.id, 'domain', async () => {
      // false if another website of the account is live: the account was not removed
      const accountWasGone = await bringAccount(db, site.systemUser.id)
      await db.update(websites).set({ status: 'creating', deletedAt: null }).where(eq(websites.id, id))
      await returnWith(db, family)
      await returnToGroup(db, id)
      await followAccount(db, site.systemUser.id, [id, ...family])
      return restorationPlan(db, site, members, accountWasGone)
    })
    return begin(context, website, 'website.restore', plan, {
      locks: [lockOf(site.systemUser.id), ...family.map((member) => `website:${member}`)],
    })
  },

  async purge({ id, domain, version }, context) {
    const { db, audit } = context
    const website = await trashed(db, id)
    audit.before(website)
    checkVersion(website, version, website.domain)
    if (domain !== website.domain)
      throw refused(`${domain} is not ${website.domain}`, { domain: `Type ${website.domain}` })
    const family = await readTrashedFamily(db, id)
    return begin(context, website, 'website.purge', await purgePlan(db, [id, ...family]), {
      locks: family.map((member) => `website:${member}`),
    })
  },
}

async function trashed(db: Db, id: number) {
  const website = await readWebsite(db, id)
  if (website.status !== 'deleted') throw refused(`${website.domain} is ${website.status}: it is not in the trash`)
  return website
}

/** Refuses to restore a member whose parent is deleted. */
async function checkParent(db: Db, { domain, parentId }: Website): Promise<void> {
  if (parentId === null) return
  const [parent] = await readWebsites(db, [parentId])
  if (!parent) throw refused(`${domain} belonged to a website that was deleted permanently`)
  if (parent.status === 'deleted')
    throw refused(`${domain} belongs to ${parent.domain}, which is in the trash too: restore that website`)
}

/** Steps that restore a website and then its members, which need its account and pool. */
async function restorationPlan(db: Db, site: Site, members: Website[], withAccount: boolean): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  const others = members.filter(({ kind }) => kind !== 'alias').map((member) => member.id)
  for (const one of [site, ...(await readSites(db, others))]) {
    const taken = await takenBy(db, one.id, one.systemUser.id)
    if (!(withAccount && one.id === site.id)) taken.account = []
    const named = await withNames(db, one, {
      add: members.filter(({ kind, parentId }) => kind === 'alias' && parentId === one.id),
    })
    steps.push(...restoration(named, await stateBefore(db, one.id), taken, await stepsIn('restore', db, one)))
  }
  return steps
}

/** Throws 409 if the domain was taken since the deletion. */
async function checkFree(db: Db, { domain, ownerId }: Website): Promise<void> {
  const problem = await takenName(db, domain, { ownerId, now: 'by now' })
  if (problem) throw conflict(`${problem}. Rename or delete that one first.`, { fields: { domain: problem } })
}

/** Locks the account. Throws 409 if its plan has no room for these websites, because others were created since. */
async function checkRoom(db: Db, { id, username }: Site['systemUser'], returning: Website[]): Promise<void> {
  const has = await holdAccount(db, id)
  const more = returning.filter(({ kind }) => kind !== 'alias').length
  const [plan] = await db
    .select({ name: plans.name, most: plans.websites })
    .from(plans)
    .innerJoin(systemUsers, eq(systemUsers.planId, plans.id))
    .where(eq(systemUsers.id, id))
  if (!plan || !more || has + more <= plan.most) return
  const [most, had] = [plan.most, has].map((n) => (n === 1 ? 'one website' : `${n} websites`))
  const problem = `The account ${username} has ${had}, and the plan ${plan.name} has room for ${most}`
  throw conflict(`${problem}. Delete a website of the account, or choose a larger plan for it.`, {
    fields: { domain: problem },
  })
}

/** Restores the account's row, unless its name was taken since. Returns whether the account had been deleted. */
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
  if (other) throw conflict(`The account ${username} now belongs to another owner on that server`)
  await db.update(systemUsers).set({ deletedAt: null }).where(eq(systemUsers.id, systemUserId))
  return true
}

/** Sets the state that restored websites return to, because their account may have been suspended or activated meanwhile. */
async function followAccount(db: Db, systemUserId: number, ids: number[]): Promise<void> {
  const [account] = await db
    .select({ status: systemUsers.status })
    .from(systemUsers)
    .where(eq(systemUsers.id, systemUserId))
  const isSuspended = account?.status === 'suspended'
  await db
    .update(websites)
    .set({ statusBefore: isSuspended ? 'suspended' : 'active', suspendedWithAccount: isSuspended })
    .where(
      and(
        inArray(websites.id, ids),
        eq(websites.systemUserId, systemUserId),
        ne(websites.kind, 'alias'), // aliases are served by their website
        isSuspended
          ? sql`coalesce(${websites.statusBefore}, 'active') = 'active'`
          : eq(websites.suspendedWithAccount, true),
      ),
    )
}

/** Ids of the actions that removed a website, its folder, its account and its pool, newest first. */
async function takenBy(db: Db, websiteId: number, systemUserId: number): Promise<Taken & { pool: number[] }> {
  const found = await rows<{ id: number; name: string }>(
    db,
    sql`select action_id::float8 as id, name from actions where attempt > 0
      and ((resource_type in ('nginx-site', 'apache-site', 'document-root') and resource_id = ${websiteId}
          and (name in ('nginx-site.remove', 'apache-site.remove', 'document-root.remove')
            or (name in ('nginx-site.ensure', 'apache-site.ensure') and task = 'undo')))
        or (resource_type in ('system-user', 'php-pool') and resource_id = ${systemUserId}
          and name in ('system-user.remove', 'php-pool.remove')))
      order by action_id desc limit 200`,
  )
  const of = (...names: string[]) => found.flatMap(({ id, name }) => (names.includes(name) ? id : [])).slice(0, MOST)
  return {
    // undo of an ensure also moves the logs to the trash
    site: of('nginx-site.remove', 'nginx-site.ensure', 'apache-site.remove', 'apache-site.ensure'),
    root: of('document-root.remove'),
    account: of('system-user.remove'),
    pool: of('php-pool.remove'),
  }
}
const MOST = 50

/**
 * Steps that purge the trash of these websites. The home of an account stays while another of its websites can be
 * restored.
 */
async function purgePlan(db: Db, ids: number[]): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const site of await readSites(db, ids)) {
    const { site: sites, root, account, pool } = await takenBy(db, site.id, site.systemUser.id)
    const [others] = await rows<{ some: boolean }>(
      db,
      sql`select exists (select from websites where system_user_id = ${site.systemUser.id} and website_id not in ${ids}
        and kind <> 'alias' and (deleted_at is null or purged_at is null)) as some`,
    )
    const taken = [...sites, ...root, ...(others?.some ? [] : [...account, ...pool])]
    for (const one of allParts()) taken.push(...((await one.taken?.(db, site)) ?? []))
    if (taken.length) steps.push(...purging(site, taken)) // `taken` is empty if the deletion left everything on the server
  }
  return steps
}

const WHO = { id: null, name: 'Innkeeper' }

/**
 * Purges websites whose time in the trash has ended. The website's lock keeps other nodes from purging the same
 * website.
 */
export async function purgeOverdue(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select website_id as id from websites w where deleted_at is not null and purged_at is null and purge_after < now()
      and not (deleted_with_parent and exists (select from websites p where p.website_id = w.parent_id
        and p.deleted_at is not null and p.purged_at is null))
      and not exists (select from resource_locks l where l.resource = 'website:' || w.website_id)
      order by ${failedLast(app, ROUND, sql`w.website_id`)}, purge_after limit 50`,
  )
  // 409: another node has started this purge
  await eachOf(app, ROUND, due, ({ id }) => app.db.transaction((tx) => startPurge(tx, id)))
  return due.length
}

async function startPurge(tx: Db, id: number): Promise<void> {
  const { domain } = await readWebsite(tx, id)
  const family = await readTrashedFamily(tx, id)
  await startOn(tx, { id, domain }, 'website.purge', await purgePlan(tx, [id, ...family]), WHO, {
    locks: family.map((member) => `website:${member}`),
  })
}
