import type { ConfigTrigger } from '@innkeeper/contract/recovery/configs/shapes'
import { eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { configCollections, configServers } from '../tables.ts'
import { currentFiles, differencesOf } from './changes.ts'
import { fetchContents, listFiles } from './look.ts'
import { notifyDrift } from './notify.ts'
import { save } from './save.ts'

export interface Due {
  id: number
  name: string
  trigger: ConfigTrigger
  askedBy: string | null
}

/** Collects the configuration of one server and adds a line to the log of collections. */
export async function collect(app: App, due: Due): Promise<void> {
  try {
    const { files, skipped } = await listFiles(app, due.id)
    const stored = await currentFiles(app.db, due.id)
    const differences = differencesOf(stored, files)
    const gone = differences.flatMap(({ path, after }) => (after ? [] : [path]))
    const fresh = differences.flatMap(({ after }) => (after ? [after] : []))
    const { contents, removers } = await fetchContents(app, due.id, fresh, gone)
    await app.db.transaction(async (tx) => {
      const held = await isStillHeld(tx, due.id)
      if (!held) return
      const complete = await withContents(tx, differences, contents)
      const versions = await save(tx, {
        server: due,
        trigger: due.trigger,
        files,
        differences: complete,
        contents,
        removers,
      })
      await notifyDrift(tx, due, complete, new Set(stored.map(({ service }) => service)), removers)
      const problem = problemOf(differences.length - complete.length, skipped)
      await tx.insert(configCollections).values({
        ...{ serverId: due.id, serverName: due.name, trigger: due.trigger, by: due.askedBy ?? 'Innkeeper' },
        ...{ startedAt: held.startedAt, endedAt: sql`now()`, problem, files: files.length, versions },
        result: differences.length > complete.length ? 'partial' : 'success',
        changed: complete.length,
        bytes: [...contents.values()].reduce((sum, content) => sum + Math.floor((content.length * 3) / 4), 0),
      })
      await settle(tx, due.id, held.startedAt, null)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error // an offline server or a refusal of its agent goes into the log
    await app.db.transaction((tx) => fail(tx, due, error.message))
  }
}

function problemOf(missed: number, skipped: number): string | null {
  const parts = [
    ...(missed ? [`${missed} ${missed === 1 ? 'file' : 'files'} changed while they were read`] : []),
    ...(skipped ? [`${skipped} ${skipped === 1 ? 'file has a name' : 'files have names'} that cannot be shown`] : []),
  ]
  return parts.length ? parts.join('; ') : null
}

/** Leaves out files whose content changed between list and read; the next collection includes them. */
async function withContents<
  T extends { after: { hash: string | null; kind: string; hidden: string | null } | undefined },
>(tx: Db, differences: readonly T[], contents: ReadonlyMap<string, string>): Promise<T[]> {
  const needs = ({ after }: T) => (after?.kind === 'file' && !after.hidden ? after.hash : null)
  const missing = differences.flatMap((one) => {
    const hash = needs(one)
    return hash && !contents.has(hash) ? [hash] : []
  })
  const found = await rows<{ hash: string }>(
    tx,
    sql`select hash from config_blobs where hash = any(${sql.param(missing)}::text[]) for key share`,
  )
  const stored = new Set(found.map(({ hash }) => hash))
  return differences.filter((one) => {
    const hash = needs(one)
    return !hash || contents.has(hash) || stored.has(hash)
  })
}

async function isStillHeld(tx: Db, serverId: number): Promise<{ startedAt: string } | undefined> {
  const [held] = await tx
    .select({ until: configServers.heldUntil })
    .from(configServers)
    .where(eq(configServers.serverId, serverId))
    .for('update')
  if (!held?.until) return undefined
  return { startedAt: new Date(new Date(held.until).getTime() - HELD_MS).toISOString() }
}

/** Milliseconds after which another node may collect the server, because the first node has probably died. */
export const HELD_MS = 600_000

/** The next night from 02:00 UTC, spread over three hours. */
const nextNight = (serverId: number) =>
  sql`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 day 2 hours' + make_interval(secs => ${(serverId * 7919) % 10_800})`

async function settle(tx: Db, serverId: number, startedAt: string, problem: string | null): Promise<void> {
  // somebody requested a collection during this one, which may have missed their change: keep the request
  const again = sql`${configServers.nextAt} > ${startedAt}`
  const next = problem === null ? nextNight(serverId) : sql`now() + interval '1 hour'`
  await tx
    .update(configServers)
    .set({
      ...{ heldUntil: null, problem },
      ...(problem === null && { collectedAt: sql`now()` }),
      askedBy: sql`case when ${again} then ${configServers.askedBy} end`,
      trigger: sql`case when ${again} then ${configServers.trigger} else 'nightly' end`,
      nextAt: sql`case when ${again} then ${configServers.nextAt} else ${next} end`,
    })
    .where(eq(configServers.serverId, serverId))
  await changed(tx, 'configs')
}

/**
 * Logs a failure. Consecutive failures share one line, because a server that is offline for a week would fill the log.
 */
async function fail(tx: Db, due: Due, problem: string): Promise<void> {
  const held = await isStillHeld(tx, due.id)
  if (!held) return
  const [again] = await rows<{ id: number }>(
    tx,
    sql`update config_collections set attempts = attempts + 1, ended_at = now(), problem = ${problem}, trigger = ${due.trigger}
      where config_collection_id = (select config_collection_id from config_collections where server_id = ${due.id}
        order by started_at desc, config_collection_id desc limit 1) and result = 'failed' returning config_collection_id as id`,
  )
  if (!again)
    await tx.insert(configCollections).values({
      ...{ serverId: due.id, serverName: due.name, trigger: due.trigger, by: due.askedBy ?? 'Innkeeper' },
      ...{ startedAt: held.startedAt, endedAt: sql`now()`, problem, result: 'failed' as const },
    })
  await settle(tx, due.id, held.startedAt, problem)
}
