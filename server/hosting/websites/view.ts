import { domainToUnicode } from 'node:url'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { and, eq, getTableColumns, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { monitors, websites } from './tables.ts'

/** Deleted, but not purged: the website can be restored. */
export const inTrash = sql`(${websites.deletedAt} is not null and ${websites.purgedAt} is null)`

const { redisCache, maintenance, ssl, cdn, backups, ...others } = getTableColumns(websites)
const {
  groupPosition,
  suspendedWithAccount,
  suspendedWithParent,
  deletedWithParent,
  statusBefore,
  purgedAt,
  ...columns
} = others
const parents = alias(websites, 'parent')

const select = byIds((db, isWanted) =>
  db
    .select({
      ...columns,
      toggles: { redisCache, maintenance, ssl, cdn, backups },
      ownerName: owners.name,
      serverName: servers.name,
      planName: plans.name,
      username: systemUsers.username,
      parentDomain: parents.domain,
      health: {
        ...{ state: monitors.state, since: monitors.since, checkedAt: monitors.checkedAt },
        ...{ status: monitors.status, ms: monitors.ms, reason: monitors.reason },
      },
    })
    .from(websites)
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .innerJoin(plans, eq(plans.id, websites.planId))
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .leftJoin(parents, eq(parents.id, websites.parentId))
    .leftJoin(monitors, and(eq(monitors.websiteId, websites.id), isNotNull(monitors.nextAt)))
    .where(and(isWanted(websites.id), or(isNull(websites.deletedAt), inTrash))),
)

type Row = Awaited<ReturnType<typeof select>>[number]

const shown = (row: Row): Website => ({
  ...row,
  unicode: inUnicode(row.domain),
  purgeAfter: row.deletedAt && row.purgeAfter,
  // the row keeps the group for a restore
  groupId: row.deletedAt ? null : row.groupId,
  // the cache of a suspended or deleted website is stopped
  toggles: { ...row.toggles, redisCache: row.toggles.redisCache && !['suspended', 'deleted'].includes(row.status) },
})

/** Unicode form of a domain; null if it equals the ASCII form. */
export const inUnicode = (name: string): string | null =>
  /(^|\.)xn--/.test(name) ? name.replace(/[^*.].*$/s, (rest) => domainToUnicode(rest) || rest) : null

/** Websites in the form of the contract, in the order of `ids`. Missing ones are left out. */
export async function readWebsites(db: Db, ids: number[]): Promise<Website[]> {
  return inOrder(ids, (await select(db, ids)).map(shown))
}

/** One website. Throws 404 if it is missing. */
export async function readWebsite(db: Db, id: number): Promise<Website> {
  const [found] = await select(db, [id])
  if (!found) throw notFound('website', id)
  return shown(found)
}
