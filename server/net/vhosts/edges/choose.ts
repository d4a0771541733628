import type { Network } from '@innkeeper/contract/net/vhosts/shapes'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { websites } from '../../../hosting/websites/tables.ts'
import { readWebsite } from '../../../hosting/websites/view.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import type { Edge } from './behind.ts'

/** Finds the website to put behind an edge, by id or by one of its names. */
export async function chooseWebsite(
  db: Db,
  requested: { websiteId?: number | undefined; domain?: string | undefined },
) {
  const id = requested.websiteId ?? (await byName(db, requested.domain))
  const website = await readWebsite(db, id)
  const field = requested.websiteId === undefined ? 'domain' : 'websiteId'
  const { domain, status, kind, parentDomain } = website
  if (requested.websiteId !== undefined && requested.domain && (await byName(db, requested.domain)) !== id)
    throw refused(`${requested.domain} is not a name of ${domain}`, { domain: `Not a name of ${domain}` })
  if (kind === 'alias')
    throw refused(`${domain} is a name of ${parentDomain}: choose that website`, { [field]: 'Is an alias' })
  if (status !== 'active') throw refused(`${domain} is ${status}: it has to be active`, { [field]: `Is ${status}` })
  await db.select({ id: websites.id }).from(websites).where(eq(websites.id, id)).for('update')
  const [there] = await rows<{ id: number }>(
    db,
    sql`select vhost_id as id from vhosts where website_id = ${id} and deleted_at is null`,
  )
  if (there) throw conflict(`${domain} is already behind an edge`, { fields: { [field]: 'Already behind an edge' } })
  return website
}

/** Finds a website by its domain, or by an alias. */
async function byName(db: Db, domain: string | undefined): Promise<number> {
  if (!domain) throw refused('Choose a website', { websiteId: 'Required' })
  const [found] = await rows<{ id: number }>(
    db,
    sql`select case when kind = 'alias' then parent_id else website_id end as id from websites
      where domain = ${domain} and deleted_at is null`,
  )
  if (!found) throw refused(`No website is called ${domain}`, { domain: 'No website has this name' })
  return found.id
}

interface Requested {
  /**
   * The requested server. Absent: the edge with the fewest websites; an all-in-one server only if there is no other.
   */
  serverId?: number | undefined
  /** Servers that are not allowed: the website's own, and edges that it already has. */
  not: readonly number[]
}

/** Chooses an edge of a network; 422 with the reason when the requested server is not suitable. */
export async function chooseEdge(db: Db, network: Network, { serverId, not }: Requested): Promise<Edge> {
  if (serverId === undefined) return leastBusy(db, network, not)
  const refuse = (why: string) => refused(why, { serverId: why })
  const [server] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.id, serverId), isNull(servers.deletedAt)))
  if (!server) throw notFound('server', serverId)
  if (server.type !== network && server.type !== 'all-in-one')
    throw refuse(`${server.name} is a ${server.type} server, not of the ${network.toUpperCase()}`)
  if (not.includes(serverId)) throw refuse(`${server.name} already has the website`)
  if (server.status === 'down') throw refuse(`${server.name} is set down`)
  if (!server.provisionedAt) throw refuse(`${server.name} is not set up yet: provision it first`)
  return { network, serverId, serverName: server.name }
}

async function leastBusy(db: Db, network: Network, not: readonly number[]): Promise<Edge> {
  const [found] = await rows<{ id: number; name: string }>(
    db,
    sql`select s.server_id as id, s.name from servers s
      where s.type in (${network}, 'all-in-one') and s.status = 'up' and s.accepts_new and s.provisioned_at is not null
        and s.deleted_at is null and not s.server_id = any(${sql.param([...not])}::int[])
      order by s.type <> ${network}, (select count(*) from vhost_edges e where e.server_id = s.server_id), s.server_id limit 1`,
  )
  if (found) return { network, serverId: found.id, serverName: found.name }
  const why = `There is no ${network.toUpperCase()} server that is set up and takes websites`
  throw refused(why, { serverId: why })
}
