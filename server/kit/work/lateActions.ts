import { SLOW_LOAD } from '@innkeeper/contract/machines/servers/load'
import { sql } from 'drizzle-orm'
import { ONLINE_S } from '../agents/online.ts'
import type { App } from '../app/app.ts'
import { rows } from '../db/db.ts'
import { act } from './interventions.ts'
import { eachOf, failedLast } from './round.ts'

/** Title of the round. */
const ROUND = 'a late action could not be tried again'

const AT_ONCE = 20
/**
 * What engines and programs say when their service was away, as after the kernel killed it for memory, or when names were not
 * found for a while. The step is worth another attempt, also on a server that was not slow.
 */
const AWAY = [
  ...[
    'lost connection to (?:mysql )?server',
    'server has gone away',
    'ERROR 200[236] ',
    'server closed the connection',
  ],
  ...['the database system is ', 'terminating connection due to', 'temporary failure (?:in name resolution|resolving)'],
  ...['EAI_AGAIN', 'could not get lock'],
].join('|')
/** Attempts of an action before it waits for people. */
const MOST_ATTEMPTS = 4

/**
 * Tries failed actions again whose server, or a service on it, was slow or away when they failed, once the server has time: after five
 * minutes, then after 10 and 20. Nobody has to look at what a busy night left behind. Returns the number of actions.
 */
export async function retryLate(app: App): Promise<number> {
  const due = await rows<{ id: number; workflowId: number; actionId: number; version: number }>(
    app.db,
    sql`select w.workflow_id as id, w.workflow_id as "workflowId", a.action_id::float8 as "actionId", w.version
      from workflows w join actions a on a.workflow_id = w.workflow_id and a.status = 'failed'
        join server_states t on t.server_id = coalesce(a.server_id, case when a.input ->> 'serverId' ~ '^[0-9]{1,9}$'
          then (a.input ->> 'serverId')::int end)
      where w.ended_at is null and w.status = 'failed' and a.attempt < ${MOST_ATTEMPTS}
        and a.ended_at between now() - interval '1 day' and now() - make_interval(mins => (5 * 2 ^ (greatest(a.attempt, 1) - 1))::int)
        and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and t.load <= t.cores * ${SLOW_LOAD}::int
        and (exists (select from heartbeats h where h.server_id = t.server_id and h.load > h.cores * ${SLOW_LOAD}::int
            and h.at between a.started_at - interval '2 minutes' and a.ended_at + interval '2 minutes')
          or not exists (select from heartbeats h where h.server_id = t.server_id
            and h.at between a.ended_at - interval '2 minutes' and a.ended_at + interval '2 minutes')
          or a.reason ~* ${AWAY})
      order by ${failedLast(app, ROUND, sql`w.workflow_id`)}, a.action_id limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id: _, ...one }) =>
    app.db.transaction((tx) => act(tx, { ...one, actionType: 'retry', by: 'Innkeeper' })),
  )
  return due.length
}
