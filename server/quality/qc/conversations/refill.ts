import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { readQueueSettings } from '../settings/queue.ts'

/** Maximum number of conversations that one round queues. */
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
  const picked = settings.mode === 'sample' ? sampled(settings) : everything(settings)
  const queued = await rows(
    db,
    sql`update qc_conversations set status = 'queued', queued_at = now(), queued_by = ${settings.mode}, version = version + 1, updated_at = now()
      where qc_conversation_id in (${picked}) and status = 'imported' returning 1`,
  )
  if (queued.length) await changed(db, 'qc')
  return queued.length
}

const candidates = ({ kind, minMessages }: QueueSettings) =>
  sql`from qc_conversations c where c.kind = ${kind} and c.status = 'imported' and c.messages >= ${minMessages}
    and c.merged_into is null and c.gone_at is null and c.agent_id is not null`

const everything = (settings: QueueSettings) =>
  sql`select c.qc_conversation_id ${candidates(settings)} order by c.last_at limit ${MOST}`

/**
 * Random conversations of this period, for each agent up to the quota minus those already sampled. New and low-scored
 * agents have a larger quota.
 */
const sampled = (settings: QueueSettings) => {
  const { kind, quota, newFactor, lowFactor, lowScore, period } = settings
  const begins = sql`date_trunc(${sql.raw(`'${period}'`)}, now())`
  return sql`select id from (
      select c.qc_conversation_id as id, c.agent_id, row_number() over (partition by c.agent_id order by random()) as nth
      ${candidates(settings)} and c.last_at >= ${begins}
    ) as drawn
    where nth <= ceil(${quota} * (select case when count(*) < 5 then ${newFactor}::float8 when avg(r.score) < ${lowScore} then ${lowFactor}::float8 else 1 end
          from (select score from qc_reviews where agent_id = drawn.agent_id and deleted_at is null order by submitted_at desc limit 20) as r))
      - (select count(*) from qc_conversations q where q.agent_id = drawn.agent_id and q.kind = ${kind}
          and q.queued_by = 'sample' and q.queued_at >= ${begins})
    limit ${MOST}`
}

/** The worker's round for both kinds. */
export async function refillAll(app: App): Promise<void> {
  for (const kind of ['chat', 'ticket'] as const) await app.db.transaction((tx) => refill(tx, kind))
}
