import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { originVhosts as contract } from '@innkeeper/contract/net/originVhosts/calls'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { originVhosts, websites } from '../../../hosting/websites/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../../kit/db/page.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { readOrigins } from './view.ts'

const sorts = {
  domain: { column: websites.domain, type: 'text', direction: 'ASC' },
  createdAt: { column: websites.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: websites.updatedAt, type: 'instant', direction: 'DESC' },
} as const

/** All websites except aliases, with their PHP settings and wildcards. */
export async function listOrigins(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  const own = sql`exists (select from ${originVhosts} where ${originVhosts.websiteId} = ${websites.id}
    and ${originVhosts.phpParameters} <> '{}')`
  const where: SQL[] = [sql`${websites.deletedAt} is null`, sql`${websites.kind} <> 'alias'`]
  if (input.search) where.push(nameLike(websites.domain, input.search))
  if (input.server) where.push(inArray(websites.serverId, input.server))
  if (input.webServer)
    where.push(
      inArray(
        websites.serverId,
        db.select({ id: servers.id }).from(servers).where(inArray(servers.webServer, input.webServer)),
      ),
    )
  if (input.phpVersion) where.push(inArray(websites.phpVersion, input.phpVersion))
  if (input.own) where.push(input.own === 'true' ? own : sql`not ${own}`)
  if (input.seen)
    where.push(sql`exists (select from ${originVhosts} where ${originVhosts.websiteId} = ${websites.id}
      and ${inArray(originVhosts.seen, input.seen)})`)
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${websites}`,
    where,
    key: websites.id,
    order: sorts[input.sort ?? 'domain'],
  })
  return { items: await readOrigins(db, ids), ...page }
}
