import type { Overview } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { rememberSlow } from '../../kit/app/rememberSlow.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { openAlerts, PROOF_DAYS } from './alerts.ts'

/** Hours after which the newest good backup of a website is too old. */
const GOOD_HOURS = 26

const hosted = sql`w.kind <> 'alias' and w.kind <> 'staging' and w.deleted_at is null and w.status in ('active', 'suspended')`

/** Websites with a good backup that is not too old. */
const recent = sql`(select distinct website_id from backups where status = 2 and deleted_at is null
  and ended_at > now() - make_interval(hours => ${GOOD_HOURS}::int))`

/** Counts of backups and proofs, websites without a recent good backup, results by day, and open alerts. */
export async function readOverview(app: App): Promise<Overview> {
  const { value, at } = await figures(app)
  return { ...value, at: at.toISOString(), hours: GOOD_HOURS, days: PROOF_DAYS, warnings: await openAlerts(app.db) }
}

type Counted = Pick<Overview, 'websites' | 'backed' | 'proven' | 'failed' | 'running' | 'bytes'>

/** Counting ten million backups takes seconds. */
const figures = rememberSlow(async ({ db }) => {
  const [counted, lacking, runs] = await Promise.all([count(db), readLacking(db), readRuns(db)])
  return { ...counted, lacking, runs }
})

async function count(db: Db): Promise<Counted> {
  const [counted] = await rows<Counted>(
    db,
    sql`select count(*)::int as websites, count(g.website_id)::int as backed, count(p.website_id)::int as proven,
        (select count(*)::int from backups k where k.status in (3, 4) and k.created_at > now() - interval '1 day'
          and k.deleted_at is null) as failed,
        (select count(*)::int from backups k where k.status in (0, 1) and k.deleted_at is null) as running,
        (select coalesce(sum(r.size), 0)::float8 from backup_repositories r where r.deleted_at is null) as bytes
      from websites w left join ${recent} g on g.website_id = w.website_id
        left join (select distinct website_id from backups where proven_at > now() - make_interval(days => ${PROOF_DAYS}::int)) p
          on p.website_id = w.website_id
      where ${hosted}`,
  )
  return counted ?? { websites: 0, backed: 0, proven: 0, failed: 0, running: 0, bytes: 0 }
}

async function readLacking(db: Db): Promise<Overview['lacking']> {
  const lacking = await rows<Overview['lacking'][number]>(
    db,
    sql`select w.website_id as "websiteId", w.domain, last.at as "lastAt"
      from websites w left join ${recent} g on g.website_id = w.website_id
        left join lateral (select k.ended_at as at from backups k where k.website_id = w.website_id and k.status = 2
          and k.deleted_at is null order by k.ended_at desc limit 1) last on true
      where ${hosted} and g.website_id is null order by 3 nulls first, w.domain limit 50`,
  )
  return lacking.map((one) => ({ ...one, lastAt: one.lastAt && isoOf(one.lastAt) }))
}

const readRuns = (db: Db) =>
  rows<Overview['runs'][number]>(
    db,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(k.completed, 0) as completed, coalesce(k.partial, 0) as partial,
        coalesce(k.failed, 0) as failed
      from generate_series(current_date - 29, current_date, interval '1 day') d(day)
      left join (select created_at::date as day, count(*) filter (where status = 2)::int as completed,
          count(*) filter (where status = 4)::int as partial, count(*) filter (where status = 3)::int as failed
        from backups where created_at >= current_date - 29 group by 1) k on k.day = d.day order by d.day`,
  )
