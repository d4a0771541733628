import { setTimeout as wait } from 'node:timers/promises'
import type { ImportRun, Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { reachOf } from '../../../kit/outgoing/reach.ts'
import type { Adapter } from './adapters/adapter.ts'
import { adapters } from './adapters/adapters.ts'
import { importItems, keepCursor, keepRun, placeOf } from './run.ts'
import { readSource, secretOfHelpDesk } from './view.ts'

/** Imports new items from the help desk of a source. Parallel runs are harmless, because imports are idempotent. */
export async function pull(app: App, log: Logger, id: number, startedBy: number | null) {
  const source = await readSource(app.db, id)
  const adapter = adapterOf(source)
  const secret = (await app.secrets.read(app.db, secretOfHelpDesk(id))) ?? ''
  const { config, cursor, unread } = source
  const items = adapter.read({ reach: reachOf(app), config, secret, cursor, unread })
  const place = placeOf(source)
  const keep = (at: string) => keepCursor(app.db, id, place, at)
  const made = await importItems(app.db, log, { items, sourceId: id, via: 'pull', startedBy, again: unread, keep })
  return { ...made, place }
}

/** The adapter of a source. Throws 422 if the source has no adapter or lacks settings. */
export function adapterOf({ type, config }: Pick<Source, 'type' | 'config'>): Adapter {
  const adapter = adapters[type]
  if (!adapter) throw refused('This source sends JSON lines to Innkeeper: there is no help desk to read')
  const lacks = adapter.lacks(config)
  if (lacks) {
    const fields = Object.entries(lacks).map(([field, text]) => [`config.${field}`, text])
    throw refused('The source lacks settings', Object.fromEntries(fields))
  }
  return adapter
}

/** Pulls under way, by application and source. */
const underWay = new WeakMap<object, Map<number, Promise<unknown>>>()
/** A round waits so long for its pulls. Those that take longer go on, and do not delay the next round. */
const ROUND_MS = 20_000

/**
 * The worker's round: reads every source that is due. If a help desk does not answer, its run records the reason; a
 * source that fails, or that takes hours, does not delay the others.
 */
export async function pullDue(app: App, patience = ROUND_MS): Promise<void> {
  const running = underWay.get(app) ?? new Map<number, Promise<unknown>>()
  underWay.set(app, running)
  const due = await rows<{ id: number }>(
    app.db,
    sql`select qc_source_id as id from qc_sources where is_active and deleted_at is null and type <> 'json'
      and (last_pull_at is null or last_pull_at <= now() - make_interval(mins => every_minutes)) order by last_pull_at nulls first`,
  )
  for (const { id } of due)
    if (!running.has(id))
      running.set(
        id,
        pullOne(app, id)
          .catch((error: unknown) => app.log.error({ err: error, source: id }, 'a pull failed'))
          .finally(() => running.delete(id)),
      )
  await Promise.race([Promise.all(running.values()), wait(patience, undefined, { ref: false })])
}

async function pullOne(app: App, id: number): Promise<ImportRun> {
  // before the pull, so that a pull that ends the process is not repeated at once
  await app.db.execute(sql`update qc_sources set last_pull_at = now() where qc_source_id = ${id}`)
  const made = await pull(app, app.log, id, null)
  return app.db.transaction((tx: Db) => keepRun(tx, made))
}
