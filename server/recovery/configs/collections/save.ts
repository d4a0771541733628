import type { ConfigAuthor, ConfigFile, ConfigService } from '@innkeeper/contract/agent/configs'
import type { ConfigTrigger } from '@innkeeper/contract/recovery/configs/shapes'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { configBlobs, configFiles, configVersions } from '../tables.ts'
import { titles } from '../words.ts'
import { type Difference, isDrift } from './changes.ts'

const AT_ONCE = 500
const SHOWN = 5
const FOUND = 200

export interface Collected {
  server: { id: number; name: string }
  trigger: ConfigTrigger
  files: readonly ConfigFile[]
  differences: readonly Difference[]
  contents: ReadonlyMap<string, string>
  removers: ReadonlyMap<string, ConfigAuthor>
}

/**
 * Stores the result of a collection: contents, and a version of each changed service. Returns the number of versions.
 */
export async function save(tx: Db, collected: Collected): Promise<number> {
  const { contents, differences } = collected
  const blobs = [...contents].map(([hash, content]) => ({ hash, content }))
  for (const some of chunks(blobs, AT_ONCE)) await tx.insert(configBlobs).values(some).onConflictDoNothing()
  const services = Map.groupBy(differences, ({ service, before }) => before?.service ?? service)
  for (const [service, changes] of services) await saveService(tx, collected, service, changes)
  if (services.size) await changed(tx, 'configs')
  return services.size
}

async function saveService(
  tx: Db,
  { server, trigger, files, removers }: Collected,
  service: ConfigService,
  changes: readonly Difference[],
): Promise<void> {
  const ofService = and(eq(configVersions.serverId, server.id), eq(configVersions.service, service))
  const [last] = await rows<{ number: number }>(
    tx,
    sql`select max(number) as number from config_versions where ${ofService}`,
  )
  const number = (last?.number ?? 0) + 1
  await tx
    .update(configVersions)
    .set({ current: false })
    .where(and(ofService, eq(configVersions.current, true)))
  const removerOf = (path: string) => removers.get(path) ?? 'unknown'
  const paths = changes.map(({ path }) => path).toSorted()
  await tx.insert(configVersions).values({
    ...{ serverId: server.id, serverName: server.name, service, number, trigger, current: true },
    collectedAt: sql`now()`,
    by: [...new Set(changes.map(({ path, after }) => after?.by ?? removerOf(path)))].toSorted(),
    added: changes.filter(({ before, after }) => after && !before).length,
    changed: changes.filter(({ before, after }) => after && before).length,
    removed: changes.filter(({ after }) => !after).length,
    files: files.filter((file) => file.service === service).length,
    paths: paths.slice(0, SHOWN),
    about: [server.name, service, titles[service], ...paths.slice(0, FOUND)].join(' ').toLowerCase(),
  })
  await endStates(tx, server.id, number, changes, removerOf)
  const now = changes.flatMap((change) => (change.after ? [{ file: change.after, drifted: isDrift(change) }] : []))
  for (const some of chunks(now, AT_ONCE))
    await tx
      .insert(configFiles)
      .values(some.map(({ file, drifted }) => ({ ...file, serverId: server.id, since: number, drifted })))
}

/** Ends the stored states of files that were changed or deleted, and stores who deleted them. */
async function endStates(
  tx: Db,
  serverId: number,
  until: number,
  changes: readonly Difference[],
  removerOf: (path: string) => ConfigAuthor,
): Promise<void> {
  const ended = changes.filter(({ before }) => before)
  for (const [removedBy, some] of Map.groupBy(ended, ({ path, after }) => (after ? null : removerOf(path))))
    for (const part of chunks(some, AT_ONCE))
      await tx
        .update(configFiles)
        .set({ until, removedBy, drifted: false })
        .where(
          and(
            eq(configFiles.serverId, serverId),
            isNull(configFiles.until),
            inArray(
              configFiles.path,
              part.map(({ path }) => path),
            ),
          ),
        )
}
