import type { Website } from '@innkeeper/contract/websites'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, prepared } from '../kit/db.ts'
import { notFound } from '../kit/errors.ts'
import { inOrder } from '../kit/page.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { servers } from '../servers/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from './tables.ts'

/** Websites as the contract shows them, in the order of `ids`; those that are gone are left out. */
export async function readWebsites(db: Db, ids: number[]): Promise<Website[]> {
  if (ids.length === 0) return []
  const query = db
    .select({
      website: websites,
      ownerName: owners.name,
      serverName: servers.name,
      planName: plans.name,
      username: systemUsers.username,
    })
    .from(websites)
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .innerJoin(plans, eq(plans.id, websites.planId))
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .where(and(sql`${websites.id} = any(${sql.param(ids)}::int[])`, isNull(websites.deletedAt)))
  const found = await prepared(query)
  return inOrder(
    ids,
    found.map(({ website: { redisCache, maintenance, ssl, cdn, backups, ...website }, ...names }) => ({
      ...website,
      ...names,
      toggles: { redisCache, maintenance, ssl, cdn, backups },
    })),
  )
}

/** One website, or the 404. */
export async function readWebsite(db: Db, id: number): Promise<Website> {
  const [website] = await readWebsites(db, [id])
  if (!website) throw notFound('website', id)
  return website
}
