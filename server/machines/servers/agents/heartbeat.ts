import type { Heartbeat } from '@innkeeper/contract/agent/door'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { Db } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { heartbeats, serverStates, servers } from '../tables.ts'
import { tellBack } from './outage.ts'

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
  const [before] = await db
    .select({
      services: serverStates.services,
      agentVersion: serverStates.agentVersion,
      build: serverStates.agentBuild,
      offlineToldAt: serverStates.offlineToldAt,
      online: sql<boolean>`${serverStates.lastSeenAt} > now() - make_interval(secs => ${sql.raw(String(ONLINE_S))})`,
    })
    .from(serverStates)
    .where(eq(serverStates.serverId, serverId))

  const figures = {
    cores,
    load,
    memoryTotal: Math.round(memory.total),
    memoryUsed: Math.round(memory.used),
    diskTotal: Math.round(disk.total),
    diskUsed: Math.round(disk.used),
  }
  const state = {
    agentVersion,
    agentBuild: build ?? null,
    os,
    arch,
    uptime,
    services,
    operations,
    addresses,
    notEnforced,
    ...figures,
  }
  const seen = { ...state, lastSeenAt: sql`now()` }
  await db
    .insert(serverStates)
    .values({ serverId, ...seen })
    .onConflictDoUpdate({ target: serverStates.serverId, set: seen })
  await db
    .insert(heartbeats)
    .values({ serverId, at: sql`date_trunc('minute', now())`, ...figures })
    .onConflictDoNothing()
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
  if (before?.offlineToldAt) await tellBack(db, serverId, before.offlineToldAt)
  if (!before?.online) await changed(db, 'workflows') // workflows that waited for the server continue
}

const summary = (services: Heartbeat['services']) =>
  services
    .map(({ name, version, state, detail }) => `${name} ${version} ${state} ${detail}`)
    .sort()
    .join('\n')
const sameServices = (a: Heartbeat['services'], b: Heartbeat['services']) => summary(a) === summary(b)
