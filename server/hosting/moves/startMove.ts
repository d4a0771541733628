import { randomBytes } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Secrets } from '../../kit/app/secrets.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { start } from '../../kit/work/workflow.ts'
import { servers } from '../../machines/servers/tables.ts'
import { accessSteps, bringAccess, closingSteps, holdAccess } from '../sftp/moving.ts'
import { lockOf } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { allParts, type Carried } from '../websites/parts/parts.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'
import type { Row } from './family.ts'
import type { Checked } from './plan/inspection.ts'
import { keyOf, type Mover, movePlan, type Route, wireOf } from './plan/plan.ts'
import { check } from './plan/preflight.ts'
import { takeHome, takeHomes } from './plan/targetAccount.ts'
import { type Home, type Moving, migrations } from './tables.ts'

export type Move = typeof migrations.$inferSelect
export interface By {
  id: number | null
  name: string
}
type Wanted = Pick<
  typeof migrations.$inferInsert,
  | 'type'
  | 'domain'
  | 'sourceWebsiteId'
  | 'sourceGroupId'
  | 'sourceServerId'
  | 'targetServerId'
  | 'targetGroupId'
  | 'soakHours'
> &
  Partial<
    Pick<
      typeof migrations.$inferInsert,
      'parentId' | 'position' | 'reverseOf' | 'status' | 'sites' | 'targetUserId' | 'beginsAt' | 'withCopies'
    >
  >

/** Inserts the row of a move that has not started, and the key of its transfer. */
export async function note(db: Db, secrets: Secrets, by: By, wanted: Wanted): Promise<Move> {
  const there = [wanted.sourceServerId, wanted.targetServerId]
  const known = await db.select({ id: servers.id }).from(servers).where(inArray(servers.id, there))
  for (const id of there) if (!known.some((server) => server.id === id)) throw notFound('server', id)
  const account = wanted.targetUserId
  if (account && !(await db.$count(systemUsers, eq(systemUsers.id, account))))
    throw refused(`There is no system user ${account}`, { targetAccountId: 'Does not exist' })
  const [made] = await db
    .insert(migrations)
    .values({ status: 'waiting', startedBy: by.name, startedById: by.id, ...wanted })
    .onConflictDoNothing()
    .returning()
  if (!made) throw await alreadyMoving(db, wanted)
  if (made.type === 'website') await renewKey(db, secrets, made.id)
  return made
}

async function alreadyMoving(db: Db, { domain, sourceWebsiteId }: Wanted) {
  const [open] = await db
    .select({
      id: migrations.id,
      by: migrations.startedBy,
      at: migrations.beginsAt,
      status: migrations.status,
      parent: migrations.parentId,
    })
    .from(migrations)
    .where(
      and(
        eq(migrations.sourceWebsiteId, sourceWebsiteId),
        eq(migrations.type, 'website'),
        inArray(migrations.status, ['waiting', 'failed']),
      ),
    )
  if (open?.status === 'failed')
    return conflict(`The move ${open.id} of ${domain} has stopped: roll it back or continue it first`)
  if (open?.at && open.parent === null)
    return conflict(`A move of ${domain} is scheduled by ${open.by}: cancel that move first`)
  return conflict(`${domain} is being moved already`)
}

/** A new key of the transfer; the end of a workflow deletes it. */
export const renewKey = (db: Db, secrets: Secrets, id: number) =>
  secrets.write(db, keyOf(id), randomBytes(32).toString('hex'))

/** Starts a move that has its row, in the caller's transaction. 422 with the blockers, 409 if another workflow holds a lock. */
export async function begin(db: Db, move: Move, by: By): Promise<Move> {
  const returning = move.reverseOf !== null
  const into = { account: move.targetUserId ?? undefined, parentId: move.parentId }
  const { withCopies, sites: moving } = move
  const checked = await check(db, move.sourceWebsiteId, move.targetServerId, {
    ...{ returning, into, withCopies, sites: moving },
  })
  const { family, source, target, findings } = checked
  const blockers = findings.filter(({ level }) => level === 'blocker').map(({ text }) => text)
  if (source.id !== move.sourceServerId) blockers.unshift(`${move.domain} is on ${source.name} by now`)
  if (blockers.length) throw refused(blockers.join('\n'), { targetServerId: blockers.join('\n') })
  const main = family[0]
  // check() and the blockers exclude these cases
  if (!main || !source.address || !target.address) throw notFound('website', move.sourceWebsiteId)
  const targetUserId = await takeHome(db, checked.home, family, main, target.id, by.id)
  const sites = move.sites.length
    ? withAdded(family, withNewNames(family, move.sites))
    : await movings(db, checked, targetUserId, by)
  const homes = [...new Set([targetUserId, ...sites.map(({ to }) => to.systemUserId)])]
  const route: Route = {
    migrationId: move.id,
    source: { id: source.id, name: source.name, address: source.address },
    target: { id: target.id, name: target.name, address: target.address },
    movers: await moversOf(db, checked.sites, sites, target, returning ? move.sites : sites),
    family: family.map(({ id }) => id),
    returning,
  }
  const accounts = new Map(sites.map(({ from, to }) => [from.systemUserId, to.systemUserId]))
  for (const [from, to] of accounts) await holdAccess(db, from, to)
  const plan = movePlan(route, await carry(db, route))
  const held: string[] = []
  for (const [from, to] of accounts) held.push(...(await bringAccess(db, from, to, returning)))
  const workflowId = await start(db, {
    kind: 'website.migrate',
    subject: { type: 'website', id: main.id, name: main.domain },
    holder: by.name,
    startedById: by.id,
    plan,
    locks: [...family.map(({ id }) => `website:${id}`), ...homes.map(lockOf), ...held],
  })
  for (const { id } of family) {
    await db
      .update(websites)
      .set({ status: 'migrating', workflowId, ...nextVersion })
      .where(eq(websites.id, id))
    await changed(db, 'websites', id)
  }
  const [begun] = await db
    .update(migrations)
    .set({
      status: 'running',
      domain: main.domain, // a group's member may have been renamed
      workflowId,
      targetUserId,
      sites,
      findings,
      targetWebsiteId: main.id,
      reason: null,
      ...nextVersion,
    })
    .where(eq(migrations.id, move.id))
    .returning()
  await changed(db, 'moves', move.id)
  if (!begun) throw notFound('migration', move.id)
  return begun
}

/** Source and target of each member. Folders keep their names below the home of the new account. */
async function movings(db: Db, { family, target }: Checked, targetUserId: number, by: By): Promise<Moving[]> {
  const homes = await takeHomes(db, family, targetUserId, target.id, by.id)
  const accounts = await db
    .select({ id: systemUsers.id, homeDir: systemUsers.homeDir })
    .from(systemUsers)
    .where(inArray(systemUsers.id, [...homes.values()]))
  return family.map((row) => {
    const { id, domain, status } = row
    // an alias has the account and folder of its website
    const { documentRoot, systemUserId: before } =
      (row.kind === 'alias' && family.find((one) => one.id === row.parentId)) || row
    const account = accounts.find((one) => one.id === homes.get(before))
    if (!account) throw new Error(`${domain} has no account on the target`) // takeHomes returns one for each
    return {
      id,
      domain,
      state: status === 'suspended' ? 'suspended' : 'active',
      from: { systemUserId: before, documentRoot },
      to: { systemUserId: account.id, documentRoot: documentRoot.replace(/^\/home\/[^/]+/, account.homeDir) },
    }
  })
}

/** Sets the present names and folders of websites that move back: people may have renamed them on the new server. */
function withNewNames(family: readonly Row[], sites: readonly Moving[]): Moving[] {
  return sites.map((moving) => {
    const row = family.find(({ id }) => id === moving.id)
    // an alias has the folder of its website
    const site = row?.kind === 'alias' ? family.find(({ id }) => id === row.parentId) : row
    if (!row || !site) return moving
    const { domain, documentRoot: before } = moving.formerly ?? {
      domain: moving.domain,
      documentRoot: moving.to.documentRoot,
    }
    const documentRoot = site.documentRoot.replace(/^\/home\/[^/]+/, homeIn(moving.to.documentRoot))
    return {
      ...moving,
      domain: row.domain,
      from: { ...moving.from, documentRoot: site.documentRoot },
      to: { ...moving.to, documentRoot },
      ...((domain !== row.domain || before !== documentRoot) && { formerly: { domain, documentRoot: before } }),
    }
  })
}
const homeIn = (path: string) => /^\/home\/[^/]+/.exec(path)?.[0] ?? ''

/**
 * Adds the aliases and sub-websites that a website got on the new server since, for a move back: they move with their
 * website.
 */
function withAdded(family: readonly Row[], sites: readonly Moving[]): Moving[] {
  const all = [...sites]
  for (const { id, domain, kind, status, parentId, systemUserId, documentRoot } of family) {
    const parent = all.find((one) => one.id === parentId)
    if (!parent || all.some((one) => one.id === id)) continue
    const home = homeIn(parent.to.documentRoot)
    all.push({
      id,
      domain,
      state: status === 'suspended' ? 'suspended' : 'active',
      from: kind === 'alias' ? parent.from : { systemUserId, documentRoot },
      to: kind === 'alias' ? parent.to : { ...parent.to, documentRoot: documentRoot.replace(/^\/home\/[^/]+/, home) },
    })
  }
  return all
}

async function moversOf(
  db: Db,
  sites: Site[],
  movings: Moving[],
  target: Site['server'],
  known: readonly Moving[],
): Promise<Route['movers']> {
  const found: Mover[] = []
  for (const from of sites) {
    const moving = movings.find(({ id }) => id === from.id)
    if (!moving) continue
    const isKnown = known.some(({ id }) => id === from.id)
    const to = await siteAt(db, from, moving.to, target)
    found.push({
      from,
      to,
      state: moving.state,
      isKnown,
      ...(moving.formerly && { former: { ...to, ...moving.formerly } }),
    })
  }
  const [first, ...rest] = found
  if (!first) throw refused('None of its websites is served: there is nothing to move')
  return [first, ...rest]
}

/** The website with the account, folder and server of one end of a move. */
export async function siteAt(db: Db, site: Site, home: Home, server: Site['server']): Promise<Site> {
  const [account] = await db
    .select({ id: systemUsers.id, username: systemUsers.username })
    .from(systemUsers)
    .where(eq(systemUsers.id, home.systemUserId))
  // account rows are never removed from the table
  if (!account) throw new Error(`the account ${home.systemUserId} is gone`)
  const { id, name, webServer } = server
  return { ...site, documentRoot: home.documentRoot, server: { id, name, webServer }, systemUser: account }
}

/** Steps of all parts of all movers, and the SFTP access of the account. */
export async function carry(db: Db, route: Route): Promise<Carried[]> {
  const { fetch } = wireOf(route)
  const found: Carried[] = []
  for (const mover of route.movers)
    for (const part of allParts()) {
      const carried = await part.move?.(db, {
        ...mover,
        ...{ returning: route.returning, prefix: `move-${route.migrationId}`, fetch },
      })
      if (carried) found.push(carried)
    }
  // a staging copy has an account of its own, whose keys must not open the account of the website
  const accounts = new Map(route.movers.map((mover) => [mover.from.systemUser.id, mover]))
  for (const { from, to } of accounts.values()) {
    const old = { ...from.systemUser, serverId: from.server.id }
    const next = { ...to.systemUser, serverId: to.server.id }
    const prepare = await accessSteps(db, old.id, next, route.returning)
    found.push({ files: [], prepare, frozen: [], ...(await closingSteps(db, old, route.family)) })
  }
  return found
}

/** Updates a move's row and increments its version, so that open screens refresh. */
export const touch = (db: Db, id: number, values: Partial<typeof migrations.$inferInsert>) =>
  db
    .update(migrations)
    .set({ ...values, version: sql`${migrations.version} + 1`, updatedAt: sql`now()` })
    .where(eq(migrations.id, id))
