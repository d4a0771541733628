import type { Input, Output } from '@innkeeper/contract/kit'
import type { websites as contract } from '@innkeeper/contract/websites'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../kit/db.ts'
import { likeText, pageKeys } from '../kit/page.ts'
import { websites } from './tables.ts'
import { readWebsites } from './view.ts'

const sorts = {
  createdAt: { column: websites.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: websites.updatedAt, type: 'instant', direction: 'DESC' },
  domain: { column: websites.domain, type: 'text', direction: 'ASC' },
} as const

/** The three forms of one list: by server, by ids, by filters. No ids at all: an empty result, no query (RP5-008). */
export async function listWebsites(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  if (input.ids) {
    const wanted = [...new Set(input.ids)]
    const found = await readWebsites(db, wanted)
    return { Websites: found, total: found.length }
  }
  const where: SQL[] = [sql`${websites.deletedAt} is null`]
  if (input.server) where.push(inArray(websites.serverId, input.server))
  if (input.userid) where.push(inArray(websites.ownerId, input.userid))
  if (input.status) where.push(inArray(websites.status, input.status))
  if (input.plan) where.push(inArray(websites.planId, input.plan))
  if (input.phpVersion) where.push(inArray(websites.phpVersion, input.phpVersion))
  if (input.domain) where.push(sql`${websites.domain} like ${likeText(input.domain)}`)
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${websites}`,
    where,
    key: websites.id,
    order: sorts[input.sort ?? 'createdAt'],
  })
  return { Websites: await readWebsites(db, ids), ...page }
}
