import type { Heartbeat } from '@innkeeper/contract/agent/door'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { Db } from '../../../kit/db/db.ts'
import { keptRows } from '../../../kit/db/driver/prepared.ts'
import { changed } from '../../../kit/live/live.ts'
import { servers } from '../tables.ts'
import { notifyBack } from './outage.ts'

const FIGURES = sql.raw('cores, load, memory_total, memory_used, disk_total, disk_used')
/** What was known of the server before this heartbeat. */
interface Before {
  services: Heartbeat['services']
  agentVersion: string
  build: string | null
  offlineToldAt: string | null
  online: boolean
}

/** Saves the state of a server and one history point per minute; refreshes screens when something visible changed. */
export async function recordHeartbeat(db: Db, serverId: number, beat: Heartbeat, peer: string): Promise<void> {
  const {
    agentVersion,
    build,
    os,
    arch,
    uptime,
    cores,
    load,
    memory,
    disk,
    services,
    operations,
    addresses,
    notEnforced,
  } = beat
  const figures = sql`${cores}::int, ${load}::float8, ${Math.round(memory.total)}::bigint, ${Math.round(memory.used)}::bigint,
    ${Math.round(disk.total)}::bigint, ${Math.round(disk.used)}::bigint`
  // one statement and one commit: a thousand agents send two hundred heartbeats a second
  const [before] = await keptRows<Before>(
    db,
    sql`with before as (select services, agent_version, agent_build, offline_told_at, last_seen_at from server_states
        where server_id = ${serverId}),
      point as (insert into heartbeats (server_id, at, ${FIGURES}) values (${serverId}, date_trunc('minute', now()), ${figures})
        on conflict do nothing),
      state as (insert into server_states as known (server_id, last_seen_at, agent_version, agent_build, os, arch, uptime, services,
          operations, addresses, not_enforced, ${FIGURES})
        values (${serverId}, now(), ${agentVersion}, ${build ?? null}, ${os}, ${arch}, ${uptime}::float8,
          ${JSON.stringify(services)}::jsonb, ${sql.param(operations)}::text[], ${sql.param(addresses)}::text[],
          ${sql.param(notEnforced)}::text[], ${figures})
        on conflict (server_id) do update set last_seen_at = excluded.last_seen_at, agent_version = excluded.agent_version,
          agent_build = excluded.agent_build, os = excluded.os, arch = excluded.arch, uptime = excluded.uptime,
          -- equal long values stay where they are stored
          services = case when known.services = excluded.services then known.services else excluded.services end,
          operations = case when known.operations = excluded.operations then known.operations else excluded.operations end,
          addresses = excluded.addresses, not_enforced = excluded.not_enforced, cores = excluded.cores, load = excluded.load,
          memory_total = excluded.memory_total, memory_used = excluded.memory_used, disk_total = excluded.disk_total,
          disk_used = excluded.disk_used)
      select services, agent_version as "agentVersion", agent_build as build, offline_told_at as "offlineToldAt",
        last_seen_at > now() - make_interval(secs => ${ONLINE_S}) as online from before`,
  )
  const sameAgent = before?.agentVersion === agentVersion && before.build === (build ?? null)
  if (before?.online && sameAgent && sameServices(before.services, services)) return

  // a server without a stored address gets the address it calls from if it is one of its own, otherwise its first
  // address
  const address = addresses.includes(peer) ? peer : addresses[0]
  if (address)
    await db
      .update(servers)
      .set({ address })
      .where(and(eq(servers.id, serverId), isNull(servers.address)))
  await changed(db, 'servers', serverId)
  if (before?.offlineToldAt) await notifyBack(db, serverId, before.offlineToldAt)
  if (!before?.online) await changed(db, 'workflows') // workflows that waited for the server continue
}

const summary = (services: Heartbeat['services']) =>
  services
    .map(({ name, version, state, detail }) => `${name} ${version} ${state} ${detail}`)
    .sort()
    .join('\n')
const sameServices = (a: Heartbeat['services'], b: Heartbeat['services']) => summary(a) === summary(b)
