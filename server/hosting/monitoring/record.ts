import type { CheckAnswer } from '@innkeeper/contract/agent/monitoring'
import { FAILURES, RECHECK_S } from '@innkeeper/contract/hosting/monitoring'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/** Maximum number of `changed` events for single websites per batch; more become one event for the list. */
const HINTS = 20

/** A running workflow of website `id` that shows visitors the maintenance page while it exchanges files or tables. */
const announced = (id: string) => sql`exists (
  select from resource_locks l join workflows f on f.workflow_id = l.workflow_id
  where l.resource = 'website:' || ${sql.raw(id)} and f.status = 'running' and not f.paused
    and exists (select from actions a where a.workflow_id = f.workflow_id and a.input ->> 'state' = 'maintenance'))`

/**
 * Records the results. A 503 that our own workflow announced is no result: the website is requested again soon. A website is down after several consecutive failures and up after one success. The row of a
 * parked website is unchanged, because the website was suspended during the request.
 */
export async function record(tx: Db, answers: readonly CheckAnswer[], by: number | null): Promise<void> {
  if (!answers.length) return
  const seen = sql`jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
    as a(id int, status int, ms int, reason text, "certificateUntil" timestamptz)`
  await tx.execute(
    sql`update monitors m set next_at = now() + make_interval(secs => ${RECHECK_S}) from ${seen}
      where a.id = m.website_id and m.next_at is not null and a.status = 503 and ${announced('a.id')}`,
  )
  const turned = await rows<{ id: number }>(
    tx,
    sql`with before as (select m.website_id, m.state, m.failures, a.* from monitors m join ${seen} on a.id = m.website_id
        where m.next_at is not null and not (a.status = 503 and ${announced('a.id')})
        order by m.website_id for update of m),
      judged as (select *, case when reason is null then 'up' when state = 'down' or failures + 1 >= ${FAILURES} then 'down'
          else state end as next from before),
      written as (update monitors m set checked_at = now(), status = j.status, ms = j.ms, reason = j.reason,
          certificate_until = j."certificateUntil", asked_by = ${by}::int, state = j.next,
          since = case when j.next = j.state then m.since else now() end,
          failures = case when j.reason is null then 0 else m.failures + 1 end,
          next_at = case when j.reason is not null and j.next <> 'down' then now() + make_interval(secs => ${RECHECK_S}) else m.next_at end
        from judged j where m.website_id = j.website_id),
      days as (insert into monitor_days (website_id, day, checks, failures, ms)
        select website_id, (now() at time zone 'UTC')::date, 1, (reason is not null)::int, case when reason is null then ms else 0 end
        from judged
        on conflict (website_id, day) do update set checks = monitor_days.checks + 1,
          failures = monitor_days.failures + excluded.failures, ms = monitor_days.ms + excluded.ms)
      insert into monitor_changes (website_id, state, status, reason)
        select website_id, next, status, reason from judged where next <> state returning website_id as id`,
  )
  if (turned.length > HINTS) await changed(tx, 'websites')
  else for (const { id } of turned) await changed(tx, 'websites', id)
}
