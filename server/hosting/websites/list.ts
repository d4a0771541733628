import type { websites as contract, WebsiteRow } from '@innkeeper/contract/hosting/websites'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../kit/db/page.ts'
import { websites } from './tables.ts'
import { inTrash, readWebsites } from './view.ts'

const sorts = {
  createdAt: { column: websites.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: websites.updatedAt, type: 'instant', direction: 'DESC' },
  domain: { column: websites.domain, type: 'text', direction: 'ASC' },
} as const

/** Lists websites by server, by ids or by filters. An empty `ids` returns an empty result without a query (RP5-008). */
export async function listWebsites(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  if (input.ids) {
    const wanted = [...new Set(input.ids)]
    const found = await readWebsites(db, wanted)
    return { Websites: found, total: found.length }
  }
  const where: SQL[] = [whichOf(input.status)]
  if (input.server) where.push(inArray(websites.serverId, input.server))
  if (input.userid) where.push(inArray(websites.ownerId, input.userid))
  if (input.plan) where.push(inArray(websites.planId, input.plan))
  if (input.phpVersion) where.push(inArray(websites.phpVersion, input.phpVersion))
  if (input.kind) where.push(inArray(websites.kind, input.kind))
  if (input.health)
    where.push(
      sql`${websites.id} in (select website_id from monitors where next_at is not null and state in ${input.health})`,
    )
  if (input.parent !== undefined) where.push(eq(websites.parentId, input.parent))
  if (input.domain) where.push(nameLike(websites.domain, input.domain))
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${websites}`,
    where,
    key: websites.id,
    order: {
      ...sorts[input.sort ?? 'createdAt'],
      unique: input.sort === 'domain' && !input.status?.includes('deleted'),
    },
  })
  return { Websites: await readWebsites(db, ids), ...page }
}

/** Condition of the status filter: websites in the trash are listed and counted only if `deleted` is requested. */
function whichOf(status: readonly WebsiteRow['status'][] | undefined): SQL {
  const live = sql`${websites.deletedAt} is null`
  if (!status) return live
  const others = status.filter((one) => one !== 'deleted')
  const these = and(live, inArray(websites.status, others))
  if (others.length === status.length) return these ?? live
  return others.length ? sql`(${these} or ${inTrash})` : inTrash
}
