import type { Reason } from '@innkeeper/contract/access/notifications'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { type AlertKind, alertKinds } from '@innkeeper/contract/recovery/backups/values'
import { type SQL, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { worrying } from './copies/view.ts'
import { readServers } from './servers/view.ts'

interface Found {
  /** Key of the affected object, unique within the kind of alert: `website 12`. */
  about: string
  name: string
}
interface Kind {
  /** Holders of this permission are notified. */
  to: Permission
  /** Titles of the notifications when the alert begins and ends; `what` is one name or a number of objects. */
  begins: (what: string) => string
  ends: (what: string) => string
  noun: [one: string, many: string]
  link: string
  find: (db: Db) => Promise<Found[]>
  /**
   * What proves that all is well again, for an alert `e` with the `id` of its object and the time `since`. An alert also
   * ends when nobody watches its object any more, which is no good news.
   */
  proof: SQL
}
const REASON: Reason = 'backup'
const NAMED = 5
/** Hours after which a lock of restic or of a person counts as old, so that people are notified. */
const LOCK_HOURS = 12
/** Used share of a disk above which the alert begins, and below which it ends: the gap prevents repeated alerts. */
const [FULL, FREE] = [0.9, 0.87]
const SOON_DAYS = 7
/** Days after which the alert about a missing check begins. */
const CHECKED_DAYS = 30
/** Days after which a proof is too old. */
export const PROOF_DAYS = 90

const website = sql`w.deleted_at is null and w.kind <> 'alias' and w.status in ('active', 'suspended')`
/** Websites with a schedule, and the hours after which the next backup of each is late. */
const planned = sql`(select w.website_id as id, w.domain, w.created_at as made,
    max(c.created_at) as planned_at, min(case c."when" ->> 'every' when 'week' then 170 when 'month' then 750 else 26 end) as hours
  from websites w join backup_schedules c on c.deleted_at is null and c.enabled
    and (c.website_id = w.website_id or c.server_id = w.server_id) where ${website} group by w.website_id, w.domain, w.created_at)`

const kinds: Record<AlertKind, Kind> = {
  'no backup': {
    to: 'backup:backup:create',
    begins: (what) => `No good backup of ${what}`,
    ends: (what) => `A good backup of ${what} again`,
    noun: ['website', 'websites'],
    link: '/backups',
    proof: sql`exists (select from backups k where k.website_id = e.id and k.status = 2 and k.deleted_at is null and k.ended_at > e.since)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'website ' || p.id as about, p.domain as name from ${planned} p
          where greatest(p.made, p.planned_at, (select k.ended_at from backups k where k.website_id = p.id and k.status = 2
              and k.deleted_at is null order by k.ended_at desc limit 1)) < now() - make_interval(hours => p.hours::int) order by p.domain`,
      ),
  },
  'no proof': {
    to: 'backup:restore:create',
    begins: (what) => `No proof for ${PROOF_DAYS} days that ${what} can be restored`,
    ends: (what) => `${what} is proven restorable again`,
    noun: ['website', 'websites'],
    link: '/backups?proven=false',
    proof: sql`exists (select from backups k where k.website_id = e.id and k.proven_at > e.since)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'website ' || p.id as about, p.domain as name from ${planned} p
          where coalesce((select max(k.proven_at) from backups k where k.website_id = p.id),
              (select min(k.ended_at) from backups k where k.website_id = p.id and k.status = 2))
            < now() - make_interval(days => ${PROOF_DAYS}::int) order by p.domain`,
      ),
  },
  full: {
    to: 'backup:repo:prune',
    begins: (what) => `${what} is nearly full`,
    ends: (what) => `${what} has room again`,
    noun: ['backup server', 'backup servers'],
    link: '/backups/servers',
    proof: sql`exists (select from backup_servers b join server_states t on t.server_id = b.server_id where b.backup_server_id = e.id
      and b.deleted_at is null and t.disk_used <= t.disk_total * ${FREE}::float8)`,
    find: fullServers,
  },
  lock: {
    to: 'backup:repo:prune',
    begins: (what) => `An old lock holds ${what}`,
    ends: (what) => `The lock of ${what} is released`,
    noun: ['repository', 'repositories'],
    link: '/backups/repositories/locks',
    proof: sql`exists (select from backup_repositories r where r.backup_repository_id = e.id and r.deleted_at is null)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select distinct 'repository ' || r.backup_repository_id as about, r.account || ' on ' || s.name as name
          from backup_locks l join backup_repositories r on r.backup_repository_id = l.backup_repository_id and r.deleted_at is null
          join backup_servers b on b.backup_server_id = r.backup_server_id join servers s on s.server_id = b.server_id
          where l.state = 'locked' and l.since < now() - make_interval(hours => ${LOCK_HOURS}::int) order by 2`,
      ),
  },
  drill: {
    to: 'backup:restore:create',
    begins: (what) => `The restore drill of ${what} failed`,
    ends: (what) => `A restore drill of ${what} was good again`,
    noun: ['website', 'websites'],
    link: '/backups/tasks?type=drill',
    proof: sql`exists (select from backup_tasks t where t.website_id = e.id and t.type = 'drill' and t.status = 'done'
      and t.created_at > e.since)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'website ' || t.website_id as about, t.subject as name from (
            select distinct on (website_id) website_id, subject, status from backup_tasks
            where type = 'drill' and status in ('done', 'failed') and created_at > now() - interval '90 days'
            order by website_id, backup_task_id desc) t
          join websites w on w.website_id = t.website_id where t.status = 'failed' and w.deleted_at is null order by 2`,
      ),
  },
  check: {
    to: 'backup:repo:prune',
    begins: (what) => `The check of ${what} found damage`,
    ends: (what) => `The check of ${what} is good again`,
    noun: ['repository', 'repositories'],
    link: '/backups/repositories',
    proof: sql`exists (select from backup_repositories r where r.backup_repository_id = e.id and r.deleted_at is null
      and r.check_result = 'good')`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'repository ' || r.backup_repository_id as about, r.account || ' on ' || s.name as name
          from backup_repositories r join backup_servers b on b.backup_server_id = r.backup_server_id
          join servers s on s.server_id = b.server_id
          where r.deleted_at is null and r.check_result is not null and r.check_result <> 'good' order by 2`,
      ),
  },
  copy: {
    to: 'backup:repo:copy',
    begins: (what) => `The copy of ${what} is late`,
    ends: (what) => `The copy of ${what} is up to date`,
    noun: ['repository', 'repositories'],
    link: '/backups/repositories/copies',
    proof: sql`exists (select from backup_copies c where c.backup_repository_id = e.id and c.deleted_at is null and c.enabled
      and c.failures = 0)`,
    find: async (db) =>
      (await worrying(db)).map(({ repositoryId, account, targetServerName }) => ({
        about: `repository ${repositoryId}`,
        name: `${account} to ${targetServerName}`,
      })),
  },
  own: {
    to: 'backup:own:update',
    begins: (what) => `No proven backup of ${what} itself`,
    ends: (what) => `${what} itself is backed up and proven again`,
    noun: ['backup', 'backups'],
    link: '/backups',
    proof: sql`exists (select from own_backups o where o.deleted_at is null and o.proven_at > e.since)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'innkeeper' as about, 'Innkeeper' as name from own_backup_plans p where p.deleted_at is null and p.enabled
            and greatest(p.created_at, (select max(o.proven_at) from own_backups o where o.deleted_at is null))
              < now() - make_interval(hours => case p."when" ->> 'every' when 'hour' then 3 when 'week' then 170
                when 'month' then 750 else 26 end)`,
      ),
  },
  'no check': {
    to: 'backup:repo:prune',
    begins: (what) => `No check of ${what} for ${CHECKED_DAYS} days`,
    ends: (what) => `${what} is checked again`,
    noun: ['repository', 'repositories'],
    link: '/backups/repositories',
    proof: sql`exists (select from backup_repositories r where r.backup_repository_id = e.id and r.deleted_at is null
      and r.last_check_at > e.since)`,
    find: (db) =>
      rows<Found>(
        db,
        sql`select 'repository ' || r.backup_repository_id as about, r.account || ' on ' || s.name as name
          from backup_repositories r join backup_servers b on b.backup_server_id = r.backup_server_id
          join servers s on s.server_id = b.server_id
          where r.deleted_at is null and r.last_backup_at is not null
            and coalesce(r.last_check_at, r.created_at) < now() - make_interval(days => ${CHECKED_DAYS}::int) order by 2`,
      ),
  },
}

/** Backup servers whose disk is nearly full, or will be within days at its present growth. */
async function fullServers(db: Db): Promise<Found[]> {
  const open = await rows<{ about: string }>(
    db,
    sql`select about from backup_alerts where kind = 'full' and ended_at is null`,
  )
  const all = await readServers(db, sql`true`)
  return all.flatMap(({ id, name, disk, fullAt }) => {
    const about = `server ${id}`
    const most = open.some((one) => one.about === about) ? FREE : FULL
    const now = disk !== null && disk.total > 0 && disk.used > disk.total * most
    const soon = fullAt !== null && Date.parse(fullAt) < Date.now() + SOON_DAYS * 86_400_000
    return now || soon ? [{ about, name }] : []
  })
}

/**
 * Notifies people once when an alert begins and once when it ends. Alerts of one kind that begin in the same round
 * share a notification. With several nodes, the node whose insert succeeds sends it.
 */
export async function alertsDue({ db }: App): Promise<void> {
  for (const kind of alertKinds) {
    const found = await kinds[kind].find(db)
    await db.transaction((tx) => compare(tx, kind, found))
  }
}

/** One title for all alerts of a kind, and their names as the body if there are several. */
function wordsOf(kind: AlertKind, some: readonly Found[], says: (what: string) => string) {
  const [first, ...others] = some
  if (!first) return undefined
  const all = some.map(({ name }) => name).sort()
  const more = all.length - NAMED
  return {
    title: says(others.length ? `${some.length} ${kinds[kind].noun[1]}` : first.name),
    body: others.length ? `${all.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}` : '',
  }
}

/** The open alerts, one line for each kind. */
export async function openAlerts(db: Db): Promise<string[]> {
  const open = await rows<Found & { kind: AlertKind }>(
    db,
    sql`select kind, about, name from backup_alerts where ended_at is null order by since, backup_alert_id`,
  )
  return alertKinds.flatMap((kind) => {
    const of = open.filter((one) => one.kind === kind)
    const words = wordsOf(kind, of, kinds[kind].begins)
    return words ? [words.body ? `${words.title}: ${words.body}` : words.title] : []
  })
}

async function compare(tx: Db, kind: AlertKind, found: readonly Found[]): Promise<void> {
  const abouts = sql.param(found.map(({ about }) => about))
  const names = sql.param(found.map(({ name }) => name))
  const begun = await rows<Found>(
    tx,
    sql`insert into backup_alerts (kind, about, name) select ${kind}, f.about, f.name
      from unnest(${abouts}::text[], ${names}::text[]) f(about, name)
      on conflict (kind, about) where ended_at is null do nothing returning about, name`,
  )
  const { to, begins, ends, link, proof } = kinds[kind]
  const ended = await rows<Found & { good: boolean }>(
    tx,
    sql`with e as (update backup_alerts set ended_at = now() where kind = ${kind} and ended_at is null
        and about <> all(${abouts}::text[]) returning about, name, since, substring(about from '\\d+$')::int as id)
      select about, name, ${proof} as good from e`,
  )
  const tell = async (some: readonly Found[], says: (what: string) => string, level: 'error' | 'success' | 'info') => {
    const words = wordsOf(kind, some, says)
    if (words) await notify(tx, { ...words, to: await holdersOf(tx, to), reason: REASON, level, link })
  }
  await tell(begun, begins, 'error')
  const [good, unwatched] = [ended.filter((one) => one.good), ended.filter((one) => !one.good)]
  await tell(good, ends, 'success')
  await tell(unwatched, (what) => `No longer watched: “${begins(what)}”`, 'info')
  if (begun.length || ended.length) await changed(tx, 'backups')
}
