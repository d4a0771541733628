import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { webProxiesEnsure } from '../../../machines/servers/actions.ts'

type Origin = { id: number; name: string }
const on = ({ id, name }: Origin) => ({ server: id, resource: { type: 'web-proxies', id, name } })

/**
 * Steps that make an origin trust the visitor addresses in requests of these servers, before one of them passes
 * requests on.
 */
export const trusting = (origin: Origin, addresses: readonly (string | null)[]): PlanStep[] => {
  const add = [...new Set(addresses.filter((address) => address !== null))]
  return add.length ? [step(webProxiesEnsure, { add }, on(origin))] : []
}

/**
 * Steps that make an origin trust exactly these servers: edges of its websites, and old servers that forward to it
 * after a move.
 */
export async function trustingOnly(db: Db, origin: Origin): Promise<PlanStep> {
  const found = await rows<{ address: string }>(
    db,
    sql`select distinct s.address from servers s
      where s.address is not null and s.deleted_at is null and (
        s.server_id in (select e.server_id from vhost_edges e join vhosts v on v.vhost_id = e.vhost_id
          join websites w on w.website_id = v.website_id where w.server_id = ${origin.id} and v.deleted_at is null)
        or s.server_id in (select source_server_id from website_migrations
          where target_server_id = ${origin.id} and status in ('running', 'paused', 'failed', 'soaking')))
      order by s.address`,
  )
  return step(webProxiesEnsure, { only: found.map(({ address }) => address) }, on(origin))
}

/**
 * Steps that make the new server of a website no longer trust the old server, on which customers have accounts. None
 * while the old server is an edge of a website on the new one, or another move between both servers is open.
 */
export async function trustingNoMore(db: Db, websiteId: number, oldServerId: number): Promise<PlanStep[]> {
  const found = await rows<{ id: number; name: string; address: string }>(
    db,
    sql`select s.server_id as id, s.name, old.address from websites w join servers s on s.server_id = w.server_id
        join servers old on old.server_id = ${oldServerId}
      where w.website_id = ${websiteId} and s.server_id <> old.server_id and old.address is not null
        and not exists (select from website_migrations m where m.source_server_id = old.server_id
          and m.target_server_id = s.server_id and m.source_website_id <> ${websiteId} and m.parent_id is null
          and m.status in ('running', 'paused', 'failed', 'soaking'))
        and not exists (select from vhost_edges e join vhosts v on v.vhost_id = e.vhost_id
          join websites other on other.website_id = v.website_id
          where e.server_id = old.server_id and other.server_id = s.server_id and v.deleted_at is null)`,
  )
  return found.map(({ address, ...origin }) => step(webProxiesEnsure, { remove: [address] }, on(origin)))
}
