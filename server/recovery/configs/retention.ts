import { and, eq, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { configFiles, configVersions } from './tables.ts'
import type { Of } from './versions/read.ts'

const KEPT = '1 year'
/** Newest versions of a service that are kept, however old they are. */
const LEAST = 20

/** Deletes a version and the states of files that no other version has. */
export async function deleteVersion(tx: Db, { serverId, service, number }: Of): Promise<void> {
  await tx
    .delete(configVersions)
    .where(
      and(
        eq(configVersions.serverId, serverId),
        eq(configVersions.service, service),
        eq(configVersions.number, number),
      ),
    )
  await tx.delete(configFiles).where(
    sql`${configFiles.serverId} = ${serverId} and ${configFiles.service} = ${service} and ${configFiles.since} <= ${number}
      and coalesce(${configFiles.until}, ${number} + 1) > ${number} and ${unseen}`,
  )
}

/** Condition: no version has this state of a file. A state that has not ended belongs to the newest version. */
const unseen = sql`not exists (select from config_versions v where v.server_id = config_files.server_id
  and v.service = config_files.service and v.number >= config_files.since
  and (config_files.until is null or v.number < config_files.until))`

/** Deletes old versions, states, contents, resets, and lines of the log of collections. */
export async function thinOut({ db }: App): Promise<void> {
  await db.execute(sql`delete from config_versions v where collected_at < now() - ${KEPT}::interval and not current
    and (select count(*) from config_versions o where o.server_id = v.server_id and o.service = v.service
      and o.number > v.number) >= ${LEAST}`)
  await db.execute(sql`delete from config_files where until is not null and ${unseen}`)
  // younger contents may belong to a collection that is not committed yet
  await db.execute(sql`delete from config_blobs b where created_at < now() - interval '1 day'
    and not exists (select from config_files f where f.hash = b.hash)`)
  await db.execute(sql`delete from config_collections where started_at < now() - ${KEPT}::interval`)
  await db.execute(sql`delete from config_resets where dismissed_at < now() - ${KEPT}::interval`)
}
