import type { Impact, Load, Server, ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { agentVersion, download } from '../../kit/agents/downloads.ts'
import { ONLINE_S, STALE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { phpVersionsOf } from './php.ts'
import { wantedOf } from './services.ts'
import { heartbeats, serverStates, servers, serverTypes } from './tables.ts'

const seenWithin = (s: number) => sql`${serverStates.lastSeenAt} > now() - make_interval(secs => ${sql.raw(String(s))})`

/** Observed state by the last heartbeat only; for `servers` left joined with `server_states`. */
export const observed: SQL<Server['observed']> = sql`case when ${serverStates.lastSeenAt} is null then 'unknown'
  when ${seenWithin(ONLINE_S)} then 'online' when ${seenWithin(STALE_S)} then 'stale' else 'offline' end`

/**
 * Sort key for placing new websites: first servers that accept websites, among these online servers, then by their
 * highest usage (load per core, memory or disk, in thousandths). Uses the same join.
 */
export const place: SQL<number> = sql`((case when ${servers.status} = 'down' or not ${servers.acceptsNew}
    or ${servers.provisionedAt} is null or ${serverStates.lastSeenAt} is null then 2
    when ${seenWithin(ONLINE_S)} then 0 else 1 end) * 1000000
  + coalesce(round(1000 * least(900, greatest(${serverStates.load} / nullif(${serverStates.cores}, 0),
    ${serverStates.memoryUsed}::float8 / nullif(${serverStates.memoryTotal}, 0),
    ${serverStates.diskUsed}::float8 / nullif(${serverStates.diskTotal}, 0)))), 1000))::bigint`

type Row = typeof servers.$inferSelect
type Figures = Pick<
  typeof heartbeats.$inferSelect,
  'load' | 'cores' | 'memoryTotal' | 'memoryUsed' | 'diskTotal' | 'diskUsed'
>

const loadOf = (at: string, { load, cores, memoryTotal, memoryUsed, diskTotal, diskUsed }: Figures): Load => ({
  at,
  load,
  cores,
  memory: { total: memoryTotal, used: memoryUsed },
  disk: { total: diskTotal, used: diskUsed },
})

/** An agent that reports no build is only compared by version. */
const differs = (state: typeof serverStates.$inferSelect, version: string, build: string | undefined): boolean =>
  state.agentVersion !== version || (state.agentBuild !== null && build !== undefined && state.agentBuild !== build)

const select = byIds((db, isWanted) =>
  db
    .select({
      row: servers,
      state: serverStates,
      observed,
      ofType: serverTypes.services,
      websites: sql<number>`(select count(*)::int from websites w where w.server_id = ${servers.id} and w.deleted_at is null)`,
    })
    .from(servers)
    .innerJoin(serverTypes, eq(serverTypes.name, servers.type))
    .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(and(isNull(servers.deletedAt), isWanted(servers.id))),
)

async function findServers(app: App, db: Db, ids: number[]): Promise<{ row: Row; server: Server }[]> {
  const found = await select(db, ids)
  const version = agentVersion(app.settings)
  const build = (await download(app.settings, 'agent.mjs'))?.sha256
  return found.map(({ row, state, ofType, ...more }) => {
    const { id, name, address, type, status, acceptsNew, note } = row
    const servicesWanted = wantedOf(ofType, row.webServer)
    const { createdAt, updatedAt } = row
    const server = {
      ...{ id, version: row.version, createdAt, updatedAt, name, address, type: type as Server['type'] }, // a key of server_types
      ...{ status, acceptsNew, note, servicesWanted, ...more },
      webServer: servicesWanted.includes(row.webServer) ? row.webServer : null,
      lastSeenAt: state?.lastSeenAt ?? null,
      agentVersion: state?.agentVersion ?? null,
      agentSkew: state !== null && differs(state, version, build),
      os: state?.os ?? null,
      uptime: state?.uptime ?? null,
      services: state?.services ?? [],
      phpVersions: phpVersionsOf({ services: state?.services ?? [] }),
      notEnforced: state?.notEnforced ?? [],
      load: state && loadOf(state.lastSeenAt, state),
      provisioned: row.provisionedAt !== null,
    }
    return { row, server }
  })
}

/** Servers in the form of the contract, in the order of `ids`; deleted ones are left out. */
export async function readServers(app: App, db: Db, ids: number[]): Promise<Server[]> {
  return inOrder(
    ids,
    (await findServers(app, db, ids)).map(({ server }) => server),
  )
}

/** One server; throws 404 if it does not exist. */
export async function readServer(app: App, db: Db, id: number): Promise<Server> {
  const [server] = await readServers(app, db, [id])
  if (!server) throw notFound('server', id)
  return server
}

const lastHour = byIds((db, isWanted) =>
  db
    .select()
    .from(heartbeats)
    .where(and(isWanted(heartbeats.serverId), sql`${heartbeats.at} > now() - interval '1 hour'`))
    .orderBy(asc(heartbeats.at)),
)

export async function viewServer(app: App, db: Db, id: number): Promise<ServerView> {
  const [found] = await findServers(app, db, [id])
  if (!found) throw notFound('server', id)
  const { row, server } = found
  const { enrolledAt, credentialHash, credentialRevokedAt, statusSetBy, statusSetAt } = row
  const trend = await lastHour(db, [id])
  return {
    ...server,
    enrolledAt,
    enrolledBy: enrolledAt && row.enrolledBy,
    credential: !credentialHash ? 'none' : credentialRevokedAt ? 'revoked' : 'valid',
    trend: trend.map(({ at, ...figures }) => loadOf(at, figures)),
    statusSetBy,
    statusSetAt,
  }
}

/** Objects on a server, and its open workflows. */
export async function impactOf(db: Db, id: number): Promise<Impact> {
  const [counts] = await rows<Omit<Impact, 'examples'>>(
    db,
    sql`select count(*)::int as websites, count(*) filter (where status = 'active')::int as active,
        count(distinct owner_id)::int as owners,
        (select count(distinct workflow_id)::int from actions
          where server_id = ${id} and status in ('ready', 'running', 'unknown')) as running
      from websites where server_id = ${id} and deleted_at is null`,
  )
  const examples = await rows<Impact['examples'][number]>(
    db,
    sql`select website_id as id, domain from websites where server_id = ${id} and deleted_at is null
      order by (status = 'active') desc, created_at limit 10`,
  )
  return { websites: 0, active: 0, owners: 0, running: 0, ...counts, examples }
}
