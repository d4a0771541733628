import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { drawSample } from '../sample/draw.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { candidates } from './candidates.ts'

/** Maximum number of conversations that one round queues when every conversation is queued. */
const MOST = 5000

/**
 * Queues imported conversations by the settings of their kind. Returns their number, or undefined if another round is
 * already running.
 */
export async function refill(db: Db, kind: Kind): Promise<number | undefined> {
  const [lock] = await rows<{ free: boolean }>(
    db,
    sql`select pg_try_advisory_xact_lock(hashtext(${`qc.refill.${kind}`})) as free`,
  )
  if (!lock?.free) return undefined
  const settings = await readQueueSettings(db, kind)
  if (settings.mode === 'off') return 0
  const queued = settings.mode === 'everything' ? await queueEverything(db, settings) : await drawSample(db, settings)
  if (queued) await changed(db, 'qc')
  return queued
}

async function queueEverything(db: Db, settings: QueueSettings): Promise<number> {
  const queued = await rows(
    db,
    sql`update qc_conversations set status = 'queued', queued_at = now(), queued_by = 'everything', version = version + 1, updated_at = now()
      where qc_conversation_id in (select c.qc_conversation_id ${candidates(settings)} order by c.last_at limit ${MOST})
        and status = 'imported' returning 1`,
  )
  return queued.length
}

/** The worker's round for both kinds. */
export async function refillAll(app: App): Promise<void> {
  const kinds = [{ kind: 'chat' }, { kind: 'ticket' }] as const
  await eachOf(app, 'a queue could not be filled', kinds, ({ kind }) => app.db.transaction((tx) => refill(tx, kind)))
}
