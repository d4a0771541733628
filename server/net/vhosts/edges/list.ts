import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { vhosts as contract } from '@innkeeper/contract/net/vhosts/calls'
import { type SQL, sql } from 'drizzle-orm'
import { websites } from '../../../hosting/websites/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../../kit/db/page.ts'
import { vhosts } from './tables.ts'
import { readVhosts } from './view.ts'

type Asked = Input<typeof contract.list, 'out'>
type Page = Output<typeof contract.list>

const sorts = {
  domain: { column: websites.domain, type: 'text', direction: 'ASC' },
  createdAt: { column: vhosts.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: vhosts.updatedAt, type: 'instant', direction: 'DESC' },
} as const
const from = sql`${vhosts} join ${websites} on ${websites.id} = ${vhosts.websiteId}`
const onEdge = (which: SQL) => sql`exists (select from vhost_edges e where e.vhost_id = ${vhosts.id} and ${which})`
/** A search term that is empty after trimming does not filter (RP5-007). */
const matching = (term?: string): SQL[] => [
  sql`${vhosts.deletedAt} is null`,
  // hides the vhosts of websites in the trash, which can still be restored
  sql`${websites.deletedAt} is null`,
  ...(term ? [nameLike(websites.domain, term)] : []),
]

export async function listVhosts(db: Db, input: Partial<Asked> & Pick<Asked, 'page' | 'itemsPerPage'>): Promise<Page> {
  const where = matching(input.search)
  if (input.server) where.push(onEdge(sql`e.server_id in ${input.server}`))
  if (input.website) where.push(sql`${vhosts.websiteId} in ${input.website}`)
  if (input.cdn) where.push(sql`${vhosts.cdn} = ${input.cdn === 'true'}`)
  if (input.xdn) where.push(sql`${onEdge(sql`e.network = 'xdn'`)} = ${input.xdn === 'true'}`)
  if (input.seen) where.push(onEdge(sql`e.seen in ${input.seen}`))
  const { ids, ...page } = await pageKeys(db, input, {
    from,
    where,
    key: vhosts.id,
    order: sorts[input.sort ?? 'domain'],
  })
  return { items: await readVhosts(db, ids), ...page }
}

/** A batch of vhosts by offset and limit, ordered by domain. */
export async function batchOfVhosts(
  db: Db,
  { offset, limit = 25, search }: Input<typeof contract.batch, 'out'>,
): Promise<Page> {
  const listing = { page: 1, itemsPerPage: limit, offset }
  const {
    ids,
    next: _,
    ...page
  } = await pageKeys(db, listing, {
    from,
    where: matching(search),
    key: vhosts.id,
    order: sorts.domain,
  })
  return { items: await readVhosts(db, ids), ...page }
}

export async function countVhosts(db: Db, search?: string): Promise<number> {
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from ${from} where ${sql.join(matching(search), sql` and `)}`,
  )
  return counted?.n ?? 0
}
