import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { qcConversations } from '../conversations/tables.ts'
import { conditionsOf } from './cronMatches.ts'
import { readQueueSettings } from './queue.ts'
import { qcCronRuns } from './tables.ts'

/** Maximum number of tickets that one run queues. The next run queues the rest. */
const MOST = 5000

interface Due {
  id: number
  value: string
  perAgent: number | null
}

/** Runs every filter that is due. Two workers never run the same filter at once. */
export async function runCron(app: App): Promise<void> {
  const isDue = sql`is_active and deleted_at is null
    and (last_run_at is null or last_run_at <= now() - make_interval(mins => every_minutes))`
  const due = await rows<{ id: number }>(
    app.db,
    sql`select qc_cron_filter_id as id from qc_cron_filters where ${isDue} order by last_run_at nulls first, qc_cron_filter_id`,
  )
  await eachOf(app, 'a cron filter could not run', due, ({ id }) =>
    app.db.transaction(async (tx) => {
      const [held] = await rows<Due>(
        tx,
        sql`select qc_cron_filter_id as id, value, per_agent as "perAgent" from qc_cron_filters
          where qc_cron_filter_id = ${id} and ${isDue} for update skip locked`,
      )
      if (held) await runFilter(tx, held)
    }),
  )
}

/** Queues the tickets that match the filter, newest first, and records the run. `perAgent` holds over the period of the queue. */
async function runFilter(db: Db, { id, value, perAgent }: Due): Promise<void> {
  const where = conditionsOf(value)
  const { period } = await readQueueSettings(db, 'ticket')
  const begins = sql`date_trunc(${sql.raw(`'${period}'`)}, now(), ${await timeZoneOf(db)})`
  const [counts] = where
    ? await rows<{ matched: number; queued: number; capped: number }>(
        db,
        sql`with matching as (
            select qc_conversation_id as id, agent_id, row_number() over (partition by agent_id order by last_at desc, qc_conversation_id desc) as nth
            from (select * from ${qcConversations} where ${where} order by last_at desc limit ${MOST} for update skip locked) as ${qcConversations}
          ), taken as (select id from matching m where ${perAgent}::int is null or nth <= ${perAgent}::int
              - (select count(*) from qc_conversations q where q.queued_by_filter = ${id} and q.agent_id is not distinct from m.agent_id and q.queued_at >= ${begins})
          ), queued as (
            update qc_conversations set status = 'queued', queued_at = now(), queued_by = 'filter', queued_by_filter = ${id}, version = version + 1, updated_at = now()
            where qc_conversation_id in (select id from taken) and status = 'imported' returning 1)
          select (select count(*)::int from matching) as matched, (select count(*)::int from queued) as queued,
            (select count(*)::int from matching) - (select count(*)::int from taken) as capped`,
      )
    : []
  const error = where ? null : 'The filter is no longer valid. Change it.'
  await db.insert(qcCronRuns).values({ filterId: id, matched: 0, queued: 0, capped: 0, ...counts, error })
  await db.execute(sql`update qc_cron_filters set last_run_at = now() where qc_cron_filter_id = ${id}`)
  if (counts?.queued) await changed(db, 'qc')
}
