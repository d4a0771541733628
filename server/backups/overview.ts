import type { Overview } from '@innkeeper/contract/backups/shapes'
import { sql } from 'drizzle-orm'
import { isoOf } from '../kit/db/columns.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { openAlerts, PROOF_DAYS } from './alerts.ts'

/** Hours after which the newest good backup of a website is too old. */
const GOOD_HOURS = 26

const hosted = sql`w.kind <> 'alias' and w.kind <> 'staging' and w.deleted_at is null and w.status in ('active', 'suspended')`

/** Counts of backups and proofs, websites without a recent good backup, results by day, and open alerts. */
export async function readOverview(db: Db): Promise<Overview> {
  const [counted] = await rows<Pick<Overview, 'websites' | 'backed' | 'proven' | 'failed' | 'running' | 'bytes'>>(
    db,
    sql`select count(*)::int as websites,
        count(*) filter (where exists (select from backups k where k.website_id = w.website_id and k.deleted_at is null
          and k.status = 2 and k.ended_at > now() - make_interval(hours => ${GOOD_HOURS}::int)))::int as backed,
        count(*) filter (where exists (select from backups k where k.website_id = w.website_id
          and k.proven_at > now() - make_interval(days => ${PROOF_DAYS}::int)))::int as proven,
        (select count(*)::int from backups k where k.status in (3, 4) and k.created_at > now() - interval '1 day'
          and k.deleted_at is null) as failed,
        (select count(*)::int from backups k where k.status in (0, 1) and k.deleted_at is null) as running,
        (select coalesce(sum(r.size), 0)::float8 from backup_repositories r where r.deleted_at is null) as bytes
      from websites w where ${hosted}`,
  )
  const lacking = await rows<Overview['lacking'][number]>(
    db,
    sql`select w.website_id as "websiteId", w.domain, max(k.ended_at) filter (where k.status = 2) as "lastAt"
      from websites w left join backups k on k.website_id = w.website_id and k.deleted_at is null
      where ${hosted} group by w.website_id, w.domain
      having coalesce(max(k.ended_at) filter (where k.status = 2), '-infinity') < now() - make_interval(hours => ${GOOD_HOURS}::int)
      order by 3 nulls first, w.domain limit 50`,
  )
  const runs = await rows<Overview['runs'][number]>(
    db,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, count(k.*) filter (where k.status = 2)::int as completed,
        count(k.*) filter (where k.status = 4)::int as partial, count(k.*) filter (where k.status = 3)::int as failed
      from generate_series(current_date - 29, current_date, interval '1 day') d(day)
      left join backups k on k.created_at >= d.day and k.created_at < d.day + interval '1 day' group by d.day order by d.day`,
  )
  const none = { websites: 0, backed: 0, proven: 0, failed: 0, running: 0, bytes: 0 }
  return {
    ...(counted ?? none),
    ...{ hours: GOOD_HOURS, days: PROOF_DAYS, runs, warnings: await openAlerts(db) },
    lacking: lacking.map((one) => ({ ...one, lastAt: one.lastAt && isoOf(one.lastAt) })),
  }
}
