import { nextRun, type When } from '@innkeeper/contract/recovery/backups/when'
import { eq, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { eachOf } from '../../kit/work/round.ts'
import { startCopy } from './copies/run.ts'
import { backupCopies } from './copies/tables.ts'
import { pausesDue } from './pauses/pause.ts'
import { note } from './record.ts'
import { toForget } from './repositories/maintenance.ts'
import { startForget, startPrune } from './repositories/startMaintenance.ts'
import { isExchanged } from './runs/exchange.ts'
import { startBackup } from './runs/start.ts'
import { backupSchedules, backupServers, backupTurns } from './tables.ts'

const by = { id: null, name: 'Innkeeper' }
/** Turns read by one query, turns started in parallel, and milliseconds after which a round starts no further batch. */
const [BATCH, AT_ONCE, ROUND_MS] = [500, 4, 45_000]

/**
 * One round: each due schedule adds a turn for each of its websites, spread over its `spread` minutes; then due turns
 * start. A schedule that was missed because Innkeeper was down runs once. A website whose backup still runs is skipped.
 * The turn of a website that is being moved, restored or merged waits until that has ended.
 */
export async function backupsDue(app: App): Promise<void> {
  await noteRunning(app)
  await takeTurns(app)
  await pausesDue(app.db)
  const until = performance.now() + ROUND_MS
  for (let turns = await dueTurns(app.db); turns.length; turns = await dueTurns(app.db)) {
    await eachOf(app, 'a scheduled backup could not start', turns, ({ id }) => startTurn(app, id), {
      atOnce: AT_ONCE,
      refused: ({ id }, why) => giveUp(app.db, id, why.message),
      failed: ({ id }) => tryLater(app.db, id),
    })
    if (performance.now() > until) return // other jobs of the same timer are waiting
  }
}

const dueTurns = (db: Db) =>
  rows<{ id: number }>(
    db,
    sql`select t.backup_turn_id as id from backup_turns t
      join backup_schedules c on c.backup_schedule_id = t.backup_schedule_id join websites w on w.website_id = t.website_id
      where t.start_at <= now() and ${withinHours} and w.status <> 'migrating' and not ${isExchanged(sql`w.website_id`)}
        and not exists (select from backup_pauses p where p.server_id = w.server_id and p.deleted_at is null)
      order by t.start_at limit ${BATCH}`,
  )

const clock = sql`to_char(now() at time zone 'UTC', 'HH24:MI')`
/** A turn outside the hours of its schedule waits for them. */
const withinHours = sql`(c.hours is null or case when c.hours ->> 'from' < c.hours ->> 'to'
  then ${clock} >= c.hours ->> 'from' and ${clock} < c.hours ->> 'to'
  else ${clock} >= c.hours ->> 'from' or ${clock} < c.hours ->> 'to' end)`

/** Sets pending backups to running once their agent has begun. */
const noteRunning = ({ db }: App) =>
  db.execute(sql`update backups k set status = 1, started_at = a.at from (select workflow_id, min(started_at) as at from actions
      where started_at is not null and workflow_id in (select workflow_id from backups where status = 0 and deleted_at is null)
      group by workflow_id) a
    where a.workflow_id = k.workflow_id and k.status = 0 and k.deleted_at is null`)

const takeTurns = ({ db }: App) =>
  db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(backupSchedules)
      .where(sql`next_at <= now() and enabled and deleted_at is null`)
      .for('update', { skipLocked: true })
    if (!due.length) return
    const ids = sql.param(due.map(({ id }) => id))
    // the offset within the spread is constant for a website, so that the time between its backups stays even
    await tx.execute(sql`insert into backup_turns (backup_schedule_id, website_id, start_at)
      select c.backup_schedule_id, w.website_id, now()
        + make_interval(secs => (w.website_id * 7919::bigint + c.backup_schedule_id * 104729::bigint) % (c.spread * 60 + 1))
      from backup_schedules c join websites w on w.website_id = c.website_id or (c.website_id is null and w.server_id = c.server_id)
      where c.backup_schedule_id = any(${ids}::int[]) and w.kind <> 'alias' and w.status in ('active', 'suspended', 'migrating')
        and w.deleted_at is null
      on conflict do nothing`)
    const now = new Date()
    const next = sql.param(due.map(({ when }) => nextRun(when, now).toISOString()))
    await tx.execute(sql`update backup_schedules c set last_at = now(), next_at = f.next
      from unnest(${ids}::int[], ${next}::timestamptz[]) f(id, next) where c.backup_schedule_id = f.id`)
  })

/** Starts one turn and removes it, in one transaction. */
async function startTurn(app: App, id: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const [turn] = await tx.delete(backupTurns).where(eq(backupTurns.id, id)).returning()
    if (!turn) return // another node has it
    const [schedule] = await tx.select().from(backupSchedules).where(eq(backupSchedules.id, turn.scheduleId))
    if (!schedule?.enabled || schedule.deletedAt) return
    const { kind, excludes, backupServerId, limit } = schedule
    const wanted = { websiteId: turn.websiteId, kind, excludes, backupServerId, ...(limit && { limit }) }
    await startBackup(app, tx, { ...wanted, mode: 'scheduled', scheduleId: schedule.id }, by)
  })
}

/** Removes a turn that was refused; the schedule's next run tries again. */
async function giveUp(db: Db, id: number, why: string): Promise<void> {
  const [turn] = await db.delete(backupTurns).where(eq(backupTurns.id, id)).returning()
  if (turn) await note(db, 'warning', `A scheduled backup did not start: ${why}`, { websiteId: turn.websiteId })
}

/** Postpones a turn that failed for a reason that only the log of Innkeeper names. */
async function tryLater(db: Db, id: number): Promise<void> {
  const startAt = sql`now() + interval '10 minutes'`
  const [turn] = await db.update(backupTurns).set({ startAt }).where(eq(backupTurns.id, id)).returning()
  if (turn)
    await note(db, 'error', 'A scheduled backup did not start: internal error. Innkeeper tries again in ten minutes', {
      websiteId: turn.websiteId,
    })
}

/** Starts forget and prune on backup servers whose schedule for them is due. */
export async function maintenanceDue(app: App): Promise<void> {
  for (const task of ['forget', 'prune'] as const) {
    const due = await rows<{ id: number; when: When }>(
      app.db,
      sql`select backup_server_id as id, ${sql.identifier(task)} as "when" from backup_servers
        where ${sql.identifier(`${task}_next_at`)} <= now() and deleted_at is null and status = 'ready'`,
    )
    for (const { id, when } of due) await maintain(app, task, id, when)
  }
}

async function maintain(app: App, task: 'forget' | 'prune', id: number, when: When): Promise<void> {
  const { db } = app
  const next = nextRun(when, new Date()).toISOString()
  const set = task === 'forget' ? { forgetNextAt: next } : { pruneNextAt: next }
  const [mine] = await db
    .update(backupServers)
    .set(set)
    .where(sql`backup_server_id = ${id} and ${sql.identifier(`${task}_next_at`)} <= now()`)
    .returning({ id: backupServers.id })
  if (!mine) return // another node has taken this run
  // one workflow for each repository, so that a failing or busy repository does not delay the others
  await eachOf(
    app,
    `a scheduled ${task} could not start`,
    await repositoriesOf(db, id),
    (repositoryId) =>
      db.transaction(async (tx) => {
        if (task === 'prune') await startPrune(tx, id, repositoryId, by)
        else if ((await toForget(tx, id, { repositoryId })).go) await startForget(tx, id, { repositoryId }, by)
      }),
    {
      refused: (repositoryId, { message }) =>
        note(db, 'warning', `The scheduled ${task} did not start: ${message}`, { repositoryId }),
      failed: (repositoryId) =>
        note(db, 'error', `The scheduled ${task} did not start: internal error`, { repositoryId }),
    },
  )
}

const repositoriesOf = async (db: Db, backupServerId: number) =>
  (
    await rows<{ id: number }>(
      db,
      sql`select backup_repository_id as id from backup_repositories where backup_server_id = ${backupServerId}
        and deleted_at is null and status = 'ready' order by 1`,
    )
  ).map(({ id }) => id)

/** Starts copies whose schedule is due. A copy that cannot start is tried again within ten minutes. */
export async function copiesDue(app: App): Promise<void> {
  const { db } = app
  const due = await db.select().from(backupCopies).where(sql`next_at <= now() and enabled and deleted_at is null`)
  const nextOf = ({ when }: (typeof due)[number]) => when && nextRun(when, new Date()).toISOString()
  const later = async (copy: (typeof due)[number], why: string) => {
    // a prune may be running just now: try again soon
    const soon = sql`least(${nextOf(copy)}::timestamptz, now() + interval '10 minutes')`
    await db.execute(
      sql`update backup_copies set next_at = ${soon} where backup_copy_id = ${copy.id} and next_at <= now()`,
    )
    await note(db, 'warning', `A scheduled copy did not start: ${why}`, { repositoryId: copy.repositoryId })
  }
  await eachOf(
    app,
    'a scheduled copy could not start',
    due,
    (copy) =>
      db.transaction(async (tx) => {
        const [mine] = await tx
          .update(backupCopies)
          .set({ nextAt: nextOf(copy) })
          .where(sql`backup_copy_id = ${copy.id} and next_at <= now()`)
          .returning({ id: backupCopies.id })
        if (mine) await startCopy(tx, copy.id, by)
      }),
    { refused: (copy, { message }) => later(copy, message), failed: (copy) => later(copy, 'internal error') },
  )
}
