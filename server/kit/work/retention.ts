import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import type { Retention } from '../app/retention.ts'
import { type Db, rows } from '../db/db.ts'
import { KEPT_HOURS } from '../http/idempotency.ts'

const BATCH = 1000
const RETAINING = 4_400_003

/** The kit's own tables. */
const own: readonly Retention[] = [
  { table: 'action_outputs', old: sql`at < now() - interval '90 days'` },
  { table: 'idempotency_keys', old: sql`created_at < now() - make_interval(hours => ${KEPT_HOURS})` },
]

/**
 * Deletes rows past their retention, in small transactions: those of the domains in their order, then workflows to which nothing
 * refers. One of several nodes does the work. The action log is kept.
 */
export async function retain({ db, retention }: Pick<App, 'db' | 'retention'>): Promise<void> {
  for (const { table, old } of [...own, ...retention]) {
    const name = sql.identifier(table)
    await inBatches(
      db,
      (batch) => sql`delete from ${name} where ctid = any(array(select ctid from ${name} where ${old} ${batch}))`,
    )
  }
  const isFree = sql.join(await referring(db), sql` and `)
  // latest_actions then falls back to the newest kept action
  await inBatches(
    db,
    (batch) => sql`with old as (select workflow_id from workflows w
        where ended_at < now() - interval '1 year' and started_at < now() - interval '1 year' and ${isFree} ${batch}),
      newest as (select resource_type, resource_id, action_id from latest_actions where workflow_id in (select workflow_id from old)
        order by resource_type, resource_id for update),
      next as (select n.action_id as gone, b.* from newest n left join lateral (select a.action_id, a.workflow_id, a.server_id, w.subject_id as website_id
        from actions a join workflows w on w.workflow_id = a.workflow_id and w.subject_type = 'website' where a.resource_type = n.resource_type
          and a.resource_id = n.resource_id and a.action_id < n.action_id and a.lane <> 'read'
          and a.workflow_id not in (select workflow_id from old) order by a.action_id desc limit 1) b on true),
      older as (update latest_actions l set action_id = next.action_id, workflow_id = next.workflow_id, website_id = next.website_id,
        server_id = next.server_id from next where l.action_id = next.gone and next.action_id is not null),
      none as (delete from latest_actions where action_id in (select gone from next where action_id is null)),
      gone as (delete from action_outputs where action_id in (select action_id from actions where workflow_id in (select workflow_id from old))),
      done as (delete from actions where workflow_id in (select workflow_id from old))
      delete from workflows where workflow_id in (select workflow_id from old)`,
  )
}

/**
 * Conditions that keep workflows to which a row refers, such as the last workflow of a website, a backup or a mail
 * domain. The columns come from the database catalogue, so that new domains are included. Foreign keys with an `on
 * delete` rule are left out.
 */
async function referring(db: Db): Promise<SQL[]> {
  const columns = await rows<{ table: string; column: string }>(
    db,
    sql`select r.relname as "table", a.attname as "column" from pg_constraint c
      join pg_class r on r.oid = c.conrelid join pg_attribute a on a.attrelid = r.oid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'workflows'::regclass and c.confdeltype = 'a'
        and r.relname not in ('actions', 'latest_actions')`,
  )
  return columns.map(
    ({ table, column }) => sql`not exists (select from ${sql.identifier(table)} t
      where t.${sql.identifier(column)} = w.workflow_id)`,
  )
}

async function inBatches(db: Db, statement: (batch: SQL) => SQL): Promise<void> {
  const batch = sql.raw(`limit ${BATCH}`)
  for (let gone = BATCH; gone === BATCH; )
    gone = await db.transaction(async (tx) => {
      const [lock] = await rows<{ mine: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${RETAINING}) as mine`)
      return lock?.mine ? (await rows(tx, sql`${statement(batch)} returning 1`)).length : 0
    })
}
