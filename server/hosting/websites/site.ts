import { USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { plans } from '../plans/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { type Alias, namesOf, wwwOf } from './names.ts'
import type { Site, SiteRules } from './siteSteps.ts'
import { originVhosts, ownRules, websites } from './tables.ts'

/** A website with all fields that its actions need. */
export async function readSite(db: Db, id: number): Promise<Site> {
  const [site] = await readSites(db, [id])
  if (!site) throw notFound('website', id)
  return site
}

const select = byIds((db, isWanted) =>
  db
    .select({
      id: websites.id,
      kind: websites.kind,
      domain: websites.domain,
      documentRoot: websites.documentRoot,
      phpVersion: websites.phpVersion,
      server: { id: servers.id, name: servers.name, webServer: servers.webServer },
      systemUser: { id: systemUsers.id, username: systemUsers.username },
      plan: { memoryMb: plans.memoryMb, cpuPercent: plans.cpuPercent, tasks: plans.tasks, diskMb: plans.diskMb },
      php: originVhosts.phpParameters,
      found: websites.foundApplication,
      chosen: originVhosts.application,
      nginx: ownRules.nginx,
      apache: ownRules.apache,
    })
    .from(websites)
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .innerJoin(plans, eq(plans.id, websites.planId))
    .leftJoin(originVhosts, eq(originVhosts.websiteId, websites.id))
    .leftJoin(
      ownRules,
      and(eq(ownRules.websiteId, originVhosts.websiteId), eq(ownRules.number, originVhosts.rulesNumber)),
    )
    .where(isWanted(websites.id)),
)

/** Several sites in the order of `ids`. Missing ones are left out. */
export async function readSites(db: Db, ids: number[]): Promise<Site[]> {
  if (!ids.length) return []
  const [found, aliases] = await Promise.all([select(db, ids), readAliases(db, ids)])
  const held = await heldNames(db, [...found, ...aliases].map(({ domain }) => domain).flatMap(wwwOf))
  const sites = found.map(({ php, found: application, chosen, nginx, apache, ...site }) => ({
    ...site,
    ...namesOf(
      site.domain,
      aliases.filter(({ parentId }) => parentId === site.id),
      held,
    ),
    ...(php && Object.keys(php).length && { php }),
    ...rulesIn({ application: chosen ?? application ?? USUAL, nginx: nginx ?? '', apache: apache ?? '' }),
  }))
  return inOrder(ids, sites)
}

/** Rules of a website; empty where everything is as everywhere. */
export const rulesIn = (rules: SiteRules): { rules?: SiteRules } =>
  rules.application !== USUAL || rules.nginx || rules.apache ? { rules } : {}

export interface NameChange {
  domain?: string
  /** Aliases to add. */
  add?: readonly Alias[]
  /** Names of aliases to remove. */
  without?: readonly string[]
}

/** The website with changed names. The caller checks that the names are free. */
export async function withNames(db: Db, site: Site, change: NameChange): Promise<Site> {
  const { domain = site.domain, add = [], without = [] } = change
  const stay = (await readAliases(db, [site.id])).filter(
    (alias) => !without.includes(alias.domain) && !add.some((other) => other.domain === alias.domain),
  )
  const aliases = [...stay, ...add]
  const held = await heldNames(db, [domain, ...aliases.map((alias) => alias.domain)].flatMap(wwwOf))
  for (const name of without) held.delete(name)
  for (const { domain: name } of [{ domain }, ...add]) held.add(name)
  return { ...site, domain, ...namesOf(domain, aliases, held) }
}

/** Active aliases, without those that are being created or deleted. */
const readAliases = byIds((db, isWanted) =>
  db
    .select({ parentId: websites.parentId, domain: websites.domain, mode: websites.mode })
    .from(websites)
    .where(
      and(
        isWanted(websites.parentId),
        eq(websites.kind, 'alias'),
        inArray(websites.status, ['active', 'suspended', 'migrating']),
        isNull(websites.deletedAt),
      ),
    )
    .orderBy(websites.id),
)

const byNames = statement((db) =>
  db
    .select({ domain: websites.domain })
    .from(websites)
    .where(and(sql`${websites.domain} = any(${sql.placeholder('names')}::text[])`, isNull(websites.deletedAt)))
    .prepare('websites_by_names'),
)

/** The subset of `names` that are websites or aliases of their own. */
export async function heldNames(db: Db, names: string[]): Promise<Set<string>> {
  if (!names.length) return new Set()
  const found = await byNames(db).execute({ names })
  return new Set(found.map(({ domain }) => domain))
}
