import type { ConfigVersion, ConfigVersionView } from '@innkeeper/contract/recovery/configs/shapes'
import { sql } from 'drizzle-orm'
import { byIds, rowsByIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { configFiles, configVersions } from '../tables.ts'

const select = byIds((db, isWanted) => db.select().from(configVersions).where(isWanted(configVersions.id)))
const removedServers = rowsByIds<{ id: number }>(
  (isWanted) => sql`select v.config_version_id as id from config_versions v join servers s on s.server_id = v.server_id
    where ${isWanted(sql`v.config_version_id`)} and s.deleted_at is not null`,
)

export async function readVersions(db: Db, ids: number[]): Promise<ConfigVersion[]> {
  const [found, removed] = [await select(db, ids), await removedServers(db, ids)]
  const gone = new Set(removed.map(({ id }) => id))
  return inOrder(
    ids,
    found.map(({ about: _, ...version }) => ({ ...version, serverRemoved: gone.has(version.id) })),
  )
}

export async function readVersion(db: Db, id: number): Promise<ConfigVersion> {
  const [version] = await readVersions(db, [id])
  if (!version) throw notFound('configuration', id)
  return version
}

export type State = typeof configFiles.$inferSelect
export type Of = Pick<ConfigVersion, 'serverId' | 'service' | 'number'>

/** The files of a version in the order of their paths. */
export const statesOf = (db: Db, { serverId, service, number }: Of): Promise<State[]> =>
  db
    .select()
    .from(configFiles)
    .where(
      sql`${configFiles.serverId} = ${serverId} and ${configFiles.service} = ${service} and ${configFiles.since} <= ${number}
        and (${configFiles.until} is null or ${configFiles.until} > ${number})`,
    )
    .orderBy(configFiles.path)

/** The id of the nearest earlier version that still exists; null if there is none. */
export async function versionBefore(db: Db, { serverId, service, number }: Of): Promise<number | null> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select config_version_id as id from config_versions where server_id = ${serverId} and service = ${service}
      and number < ${number} order by number desc limit 1`,
  )
  return found?.id ?? null
}

export async function viewVersion(db: Db, id: number): Promise<ConfigVersionView> {
  const version = await readVersion(db, id)
  const [states, before] = [await statesOf(db, version), await versionBefore(db, version)]
  const earlier = new Set(
    (
      await rows<{ path: string }>(
        db,
        sql`select path from config_files where server_id = ${version.serverId} and service = ${version.service}
          and until = ${version.number}`,
      )
    ).map(({ path }) => path),
  )
  const changeOf = ({ since, path }: State) =>
    since < version.number ? 'same' : earlier.has(path) ? 'changed' : 'added'
  const items = states.map((state) => {
    const { id: _, serverId: __, service: ___, since: ____, until: _____, removedBy: ______, ...file } = state
    return {
      ...file,
      change: changeOf(state),
      shown: file.kind === 'file' && file.hash !== null && !file.hidden,
    } as const
  })
  return { ...version, items, before }
}
