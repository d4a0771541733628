import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Refusal } from '../../kit/http/errors.ts'
import { step } from '../../kit/work/action.ts'
import { eachOf } from '../../kit/work/round.ts'
import { start } from '../../kit/work/workflow.ts'
import { repositoryLook } from './actions.ts'
import { addTasks, note } from './record.ts'
import { accessesTo, localOf, onRepository } from './repositories/access.ts'
import { startCheck } from './repositories/check.ts'
import { startDrill } from './runs/drill.ts'

const by = { id: null, name: 'Innkeeper' }
const CHECK_DAYS = 7
/** Percent of the data that a check reads. */
const CHECK_SHARE = 5

/** Join that leaves only repositories whose backup server is ready and has an agent that answers. */
const awake = sql`join backup_servers b on b.backup_server_id = r.backup_server_id and b.status = 'ready'
  join servers s on s.server_id = b.server_id and s.address is not null
  join server_states t on t.server_id = s.server_id and t.last_seen_at > ${offlineBefore}`

/** A repository that no person has locked. The next repository takes the turn of a locked one. */
const unlocked = sql`not exists (select from backup_locks l where l.backup_repository_id = r.backup_repository_id
  and l.state = 'locked' and l.source = 'innkeeper' and l.type <> 'allow-restore')`
/** A repository at which no other workflow works. */
const idle = sql`not exists (select from resource_locks h where h.resource = 'backup-repository:' || r.backup_repository_id)`
/** Most candidates that a round tries on one backup server. */
const CANDIDATES = 50

/** Starts one task on each backup server: a candidate that cannot start leaves its turn to the next. */
async function startOnEach<T extends { id: number; backupServerId: number }>(
  app: App,
  name: string,
  candidates: readonly T[],
  begin: (tx: Db, id: number) => Promise<unknown>,
  refused: (item: T, why: Refusal) => unknown,
): Promise<void> {
  for (const ofServer of Map.groupBy(candidates, ({ backupServerId }) => backupServerId).values()) {
    let isStarted = false
    for (const candidate of ofServer) {
      const work = async ({ id }: T) => {
        await app.db.transaction((tx) => begin(tx, id))
        isStarted = true
      }
      await eachOf(app, name, [candidate], work, { refused })
      if (isStarted) break
    }
  }
}

/**
 * Checks the repository whose last check is the oldest, one for each backup server at a time: the structure, whether
 * every backup still exists, and a share of the data.
 */
export async function checksDue(app: App): Promise<void> {
  const { db } = app
  const due = await rows<{ id: number; backupServerId: number }>(
    db,
    sql`select id, "backupServerId" from (select r.backup_repository_id as id, b.backup_server_id as "backupServerId",
        row_number() over (partition by b.backup_server_id order by r.last_check_at nulls first, r.backup_repository_id) as n
      from backup_repositories r ${awake}
      where r.deleted_at is null and r.status = 'ready' and r.last_backup_at is not null and ${unlocked} and ${idle}
        and coalesce(r.last_check_at, r.created_at - interval '6 days') < now() - make_interval(days => ${CHECK_DAYS}::int)
        and not exists (select from backup_tasks k join backup_repositories o on o.backup_repository_id = k.backup_repository_id
          where o.backup_server_id = b.backup_server_id and k.type = 'check' and k.ended_at is null)
        and not exists (select from backup_tasks k where k.backup_repository_id = r.backup_repository_id and k.type = 'check'
          and k.created_at > now() - interval '20 hours')) due
      where n <= ${CANDIDATES} order by "backupServerId", n`,
  )
  await startOnEach(
    app,
    'a check could not start',
    due,
    (tx, id) => startCheck(tx, id, CHECK_SHARE, by),
    ({ id }, { message }) => note(db, 'warning', `A check did not start: ${message}`, { repositoryId: id }),
  )
}

/** Reads sizes and locks of repositories that nobody has looked at for an hour; those that fail do not stay first. */
export async function looksDue(app: App): Promise<void> {
  const { db } = app
  const due = await rows<{ id: number }>(
    db,
    sql`select r.backup_repository_id as id from backup_repositories r ${awake}
      where r.deleted_at is null and r.status = 'ready'
        and coalesce(r.seen_at, '-infinity') < greatest(now() - interval '1 hour', coalesce(r.last_backup_at, '-infinity') - interval '1 hour')
        and not exists (select from workflows w where w.subject_type = 'backup-repository' and w.subject_id = r.backup_repository_id
          and w.ended_at is null)
      order by (select max(w.workflow_id) from workflows w where w.subject_type = 'backup-repository'
        and w.subject_id = r.backup_repository_id and w.kind = 'backup-repository.maintain') nulls first limit 20`,
  )
  const all = await accessesTo(
    db,
    due.map(({ id }) => id),
  )
  await eachOf(app, 'a repository could not be looked at', all, (access) => {
    const on = onRepository(access)
    return db.transaction((tx) =>
      start(tx, {
        ...{ kind: 'backup-repository.maintain', subject: on.resource, holder: by.name, startedById: null },
        plan: [step(repositoryLook, localOf(access), on)],
        locks: [],
      }),
    )
  })
}

/**
 * Restores the newest good backup of the website with the oldest proof as a test. Each backup server runs one drill at
 * a time. A drill that did not end well is repeated after a day.
 */
export async function drillDue(app: App): Promise<void> {
  const { db } = app
  const due = await rows<Drill>(
    db,
    sql`select id, "backupServerId", "repositoryId", "websiteId", domain from (select k.backup_id as id, k.backup_repository_id as "repositoryId",
        w.website_id as "websiteId", w.domain, b.backup_server_id as "backupServerId",
        row_number() over (partition by b.backup_server_id order by last.at nulls first, k.backup_id) as n from websites w
        cross join lateral (select k.backup_id, k.backup_repository_id from backups k where k.website_id = w.website_id
          and k.status = 2 and k.deleted_at is null and not k.leaving order by k.ended_at desc limit 1) k
        join backup_repositories r on r.backup_repository_id = k.backup_repository_id and r.status = 'ready' and ${unlocked} ${awake}
        cross join lateral (select greatest((select max(p.proven_at) from backups p where p.website_id = w.website_id),
          (select max(case t.status when 'done' then t.created_at else t.created_at - interval '29 days' end) from backup_tasks t
            where t.website_id = w.website_id and t.type = 'drill')) as at) last
      where w.deleted_at is null and coalesce(last.at, '-infinity') < now() - interval '30 days'
        and not exists (select from backup_tasks k join backup_repositories o on o.backup_repository_id = k.backup_repository_id
          where o.backup_server_id = b.backup_server_id and k.type = 'drill' and k.ended_at is null)) due
      where n <= ${CANDIDATES} order by "backupServerId", n`,
  )
  await startOnEach(
    app,
    'a restore drill could not start',
    due,
    (tx, id) => startDrill(tx, id, by),
    (drill, why) => noteRefused(db, drill, why),
  )
}

interface Drill {
  id: number
  backupServerId: number
  repositoryId: number
  websiteId: number
  domain: string
}

/** Notes a drill that could not start. What will not pass by itself counts as a failed drill: others go first for a day. */
async function noteRefused(db: Db, { id, repositoryId, websiteId, domain }: Drill, { status, message }: Refusal) {
  await note(db, 'warning', `A restore drill did not start: ${message}`, { repositoryId, websiteId })
  if (status === 409) return
  const about = { backupId: id, repositoryId, websiteId, subject: domain, startedBy: by.name, message }
  await addTasks(db, [
    { ...about, type: 'drill', resource: 'website', status: 'failed', endedAt: new Date().toISOString() },
  ])
}
