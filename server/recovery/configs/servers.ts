import type { ServerConfigs } from '@innkeeper/contract/recovery/configs/shapes'
import { eq, sql } from 'drizzle-orm'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { isCollecting } from './resets/reset.ts'
import { configServers } from './tables.ts'

const MOST_DRIFT = 50

/** The configuration of a server for its page: newest versions, files that people changed, and the collection state. */
export async function readServerConfigs(db: Db, serverId: number): Promise<ServerConfigs> {
  const [state] = await db.select().from(configServers).where(eq(configServers.serverId, serverId))
  const services = await rows<ServerConfigs['services'][number]>(
    db,
    sql`select v.service, v.config_version_id as "versionId", v.number, v.collected_at as "collectedAt", v.files,
        (select count(*)::int from config_files f where f.server_id = v.server_id and f.service = v.service
          and f.drifted and f.until is null) as drifted
      from config_versions v where v.server_id = ${serverId} and v.current order by v.service`,
  )
  const drift = await rows<ServerConfigs['drift'][number]>(
    db,
    sql`select f.service, v.config_version_id as "versionId", f.path, f.changed_at as "changedAt" from config_files f
      join config_versions v on v.server_id = f.server_id and v.service = f.service and v.current
      where f.server_id = ${serverId} and f.drifted and f.until is null order by f.path limit ${MOST_DRIFT}`,
  )
  return {
    serverId,
    collectedAt: state?.collectedAt ?? null,
    problem: state?.problem ?? null,
    collecting: state !== undefined && isCollecting(state),
    nextAt: state?.nextAt ?? null,
    services: services.map((one) => ({ ...one, collectedAt: isoOf(one.collectedAt) })),
    drift: drift.map((one) => ({ ...one, changedAt: isoOf(one.changedAt) })),
  }
}
