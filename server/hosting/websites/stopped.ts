import type { websites as contract, RetryResult, StoppedGroup } from '@innkeeper/contract/hosting/websites'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { all } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, Refusal } from '../../kit/http/errors.ts'
import { act } from '../../kit/work/interventions.ts'

const MOST = 500

/** Failure reason with names and numbers replaced, so that equal failures of different websites group together. */
const words = sql`left(regexp_replace(replace(replace(a.reason, w.subject_name, '…'), a.resource_name, '…'), '[0-9]+', '#', 'g'), 1000)`
const key = sql`md5(a.name || ' ' || ${words})`
const stopped = sql`a.status in ('failed', 'blocked') and w.subject_type = 'website' and w.ended_at is null`
const from = sql`actions a join workflows w on w.workflow_id = a.workflow_id`

/** Groups failed actions by cause, and retries a whole group. */
export const stoppedHandlers: Pick<Handlers<typeof contract>, 'stopped' | 'retryStopped'> = {
  async stopped({ server, resourceType }, { db }) {
    const where: SQL[] = [stopped]
    if (server) where.push(inArray(sql`a.server_id`, server))
    if (resourceType) where.push(inArray(sql`a.resource_type`, resourceType))
    const items = await rows<StoppedGroup>(
      db,
      sql`with each as (select ${key} as key, a.name, a.title, ${words} as reason, a.ended_at, w.subject_id, w.subject_name,
            row_number() over (partition by ${key} order by a.action_id) as n from ${from} where ${all(where)})
        select key, name, min(title) as title, min(reason) as reason, count(*)::int as count,
          jsonb_agg(jsonb_build_object('websiteId', subject_id, 'domain', subject_name)) filter (where n <= 5) as examples,
          to_char(min(ended_at) at time zone 'utc', ${ISO}) as "firstAt",
          to_char(max(ended_at) at time zone 'utc', ${ISO}) as "lastAt"
        from each group by key, name order by count(*) desc, key limit 100`,
    )
    return { items, total: items.length }
  },

  async retryStopped({ key: group, server }, { db, staff, audit }) {
    const where: SQL[] = [stopped, sql`${key} = ${group}`]
    if (server) where.push(inArray(sql`a.server_id`, server))
    const found = await rows<Omit<RetryResult, 'error'> & { workflowId: number }>(
      db,
      sql`select a.action_id::float8 as "actionId", w.workflow_id as "workflowId", w.subject_id as "websiteId",
          w.subject_name as domain from ${from} where ${all(where)} order by w.workflow_id limit ${MOST}`,
    )
    if (!found.length) throw notFound('error', group)
    const items: RetryResult[] = []
    for (const { workflowId, ...item } of found) {
      // one savepoint per workflow, so that a refused retry does not roll back the others
      const error = await db
        .transaction((tx) =>
          act(tx, { workflowId, actionId: item.actionId, actionType: 'retry', by: staff.name }).then(() => null),
        )
        .catch((refusal: unknown) => {
          if (refusal instanceof Refusal) return refusal.message
          throw refusal
        })
      items.push({ ...item, error })
    }
    audit.of('error', group)
    audit.after({ items })
    const begun = items.filter(({ error }) => error === null).length
    return { items, begun, refused: items.length - begun }
  },
}
const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
