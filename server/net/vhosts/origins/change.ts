import type { PhpChange, PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { versionOf } from '@innkeeper/contract/net/originVhosts/shapes'
import { inArray, sql } from 'drizzle-orm'
import { plans } from '../../../hosting/plans/tables.ts'
import { phpPoolRemove } from '../../../hosting/systemUsers/actions.ts'
import { readSites } from '../../../hosting/websites/site.ts'
import {
  onUser,
  ownPool,
  pool,
  type Site,
  served,
  siteEnsure,
  withoutOwnPool,
} from '../../../hosting/websites/siteSteps.ts'
import type { PhpRequest } from '../../../hosting/websites/tables.ts'
import { readWebsites } from '../../../hosting/websites/view.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { outputOf, type PlanStep, step } from '../../../kit/work/action.ts'
import { readServers } from '../../../machines/servers/view.ts'
import { vhostLook, vhostProbe } from '../actions.ts'

export interface Wanted {
  phpModule?: string | undefined
  phpParameters?: PhpChange | undefined
}
/** A website before and after a change. */
export interface Change {
  before: Site
  after: Site
  state: 'active' | 'suspended'
  requested: PhpRequest
  /** True: no other website of the account uses the PHP pool that the website leaves. */
  lastOfPool: boolean
}

/** Validates new settings against the website, its plan and its server; saves nothing. 422 beside the invalid field. */
export async function choose(app: App, db: Db, id: number, requested: Wanted): Promise<Change> {
  const [change] = await chooseMany(app, db, [id], requested)
  if (!change) throw notFound('website', id)
  return change
}

/** Like `choose`, for many websites, in the order of `ids`. Throws a 404 if one of them is deleted. */
export async function chooseMany(
  app: App,
  db: Db,
  ids: number[],
  requested: Wanted,
  settle: typeof added = (_, change = {}) => change,
): Promise<Change[]> {
  const websites = byId(await readWebsites(db, ids))
  const sites = byId(await readSites(db, ids))
  const all = [...websites.values()]
  const plansOf = byId(
    await db
      .select()
      .from(plans)
      .where(inArray(plans.id, [...new Set(all.map((one) => one.planId))])),
  )
  const serversOf = byId(await readServers(app, db, [...new Set(all.map((one) => one.serverId))]))
  const shared = await sharedPools(db, ids)
  return ids.map((id, n) => {
    const website = websites.get(id)
    const before = sites.get(id)
    const server = website && serversOf.get(website.serverId)
    if (!website || !before || !server) throw notFound('website', id)
    const pool = poolKey(before)
    const later = ids.slice(n + 1).some((other) => poolKey(sites.get(other)) === pool)
    return fitted(
      website,
      { before, plan: plansOf.get(website.planId), server, lastOfPool: !later && !shared.has(pool) },
      { ...requested, phpParameters: settle(before.php, requested.phpParameters) },
    )
  })
}
const byId = <T extends { id: number }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]))

interface Surroundings extends Pick<Change, 'before' | 'lastOfPool'> {
  plan: typeof plans.$inferSelect | undefined
  server: Pick<Server, 'name' | 'phpVersions'>
}

function fitted(website: Website, { before, lastOfPool, plan, server }: Surroundings, requested: Wanted): Change {
  const { domain, status, kind, parentDomain } = website
  if (kind === 'alias') throw refused(`${domain} is a name of ${parentDomain}: change that website`)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: its vhost cannot be changed`)
  const phpVersion = requested.phpModule ? versionOf(requested.phpModule) : before.phpVersion
  const wanted = merged(before.php, requested.phpParameters ?? {})
  if (phpVersion !== before.phpVersion) {
    const refuse = (why: string) => refused(why, { phpModule: why })
    if (!server.phpVersions.includes(phpVersion))
      throw refuse(`${server.name} has no PHP ${phpVersion}: install it there first`)
    if (plan && !plan.phpVersions.includes(phpVersion))
      throw refuse(`The plan ${plan.name} has PHP ${plan.phpVersions.join(', ')}`)
  }
  fitting(wanted, plan)
  const { php: _, ...bare } = { ...before, phpVersion }
  const after = Object.keys(wanted).length ? { ...bare, php: wanted } : bare
  return { before, after, state: status, requested: { phpVersion, phpParameters: wanted }, lastOfPool }
}

/**
 * In a change of many websites, extensions are added to the choices of each website. Other choices stay, because a list
 * from one website would remove those of another.
 */
export function added(now: PhpParameters = {}, change: PhpChange = {}): PhpChange {
  const { extensionsOn: on, extensionsOff: off } = change
  if (!on && !off) return change
  const both = (mine: string[] = [], more: readonly string[] = [], without: readonly string[] = []) =>
    [...new Set([...mine, ...more])].filter((name) => !without.includes(name)).sort()
  return {
    ...change,
    extensionsOn: both(now.extensionsOn, on ?? [], off ?? []),
    extensionsOff: both(now.extensionsOff, off ?? [], on ?? []),
  } as PhpChange // names of both lists, which the contract has checked
}

/** Merges PHP parameters; null resets one to its default. */
function merged(now: PhpParameters = {}, change: PhpChange): PhpParameters {
  const both = { ...now, ...change }
  return Object.fromEntries(
    Object.entries(both).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as PhpParameters // filtered: the same names and values, without unset ones
}

function fitting(
  { memory_limit, post_max_size = 64, upload_max_filesize = 64, extensionsOn, extensionsOff }: PhpParameters,
  plan?: { name: string; memoryMb: number },
) {
  const both = extensionsOn?.filter((name) => extensionsOff?.includes(name)) ?? []
  if (both.length) {
    const why = `${both.join(', ')} cannot be on and off`
    throw refused(why, { 'phpParameters.extensionsOn': why })
  }
  if (memory_limit && plan && memory_limit > plan.memoryMb) {
    const why = `The plan ${plan.name} has ${plan.memoryMb} MB for all that an account runs`
    throw refused(why, { 'phpParameters.memory_limit': why })
  }
  if (post_max_size < upload_max_filesize) {
    const why = `A form of ${post_max_size} MB cannot hold a file of ${upload_max_filesize} MB`
    throw refused(why, { 'phpParameters.post_max_size': why })
  }
}

const poolKey = (site: Site | undefined) => site && `${site.systemUser.id} ${site.phpVersion}`

/** PHP pools of these websites that other websites of the same system user also run in. */
async function sharedPools(db: Db, ids: number[]): Promise<Set<string | undefined>> {
  const found = await rows<{ pool: string }>(
    db,
    sql`select distinct o.system_user_id || ' ' || o.php_version as pool from websites w
      join websites o on o.system_user_id = w.system_user_id and o.php_version = w.php_version
      where w.website_id in ${ids} and o.website_id not in ${ids} and o.deleted_at is null and o.kind <> 'alias'`,
  )
  return new Set(found.map(({ pool }) => pool))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const inOrder = (php: PhpParameters = {}) => Object.entries(php).sort(([a], [b]) => (a < b ? -1 : 1))
export const changesNothing = ({ before, after }: Change): boolean =>
  before.phpVersion === after.phpVersion &&
  same(inOrder(before.php), inOrder(after.php)) &&
  same(before.rules, after.rules)

/**
 * Steps that create the new pool, point the web server to it, probe the website, and finally remove the old pool if no
 * website uses it. Each step before the removal can be undone.
 */
export function changeSteps({ before, after, state, lastOfPool }: Change): PlanStep[] {
  const { id, domain, server } = before
  const moves = before.phpVersion !== after.phpVersion
  const look = step(vhostLook, { serverId: server.id, domain }, asked({ id, domain }))
  const was = served(before)
  const how = {
    ...{ state, before: state, beforePhp: before.phpVersion },
    ...{ beforeOwn: was.own ?? null, beforeRules: was.rules ?? null },
  }
  return [
    look,
    ...(moves ? [pool(after)] : []),
    ...(moves || !same(inOrder(before.php), inOrder(after.php)) ? ownPool(after) : []),
    ...(same(served(before), served(after)) ? [] : [siteEnsure(after, how)]),
    step(vhostProbe, { serverId: server.id, domain, was: outputOf(look, 'status') }, asked({ id, domain })),
    ...(moves || !after.php ? withoutOwnPool(before) : []),
    ...(moves && lastOfPool
      ? [
          step(
            phpPoolRemove,
            { username: before.systemUser.username, phpVersion: before.phpVersion },
            onUser(before, 'php-pool'),
          ),
        ]
      : []),
  ]
}
const asked = ({ id, domain }: { id: number; domain: string }) => ({
  resource: { type: 'website', id, name: domain },
})
