import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { type Artefact, comesAlong, type Part } from '../websites/parts/parts.ts'

/** How a website is watched, if that is not the usual way. The settings are rows of Innkeeper only and need no steps. */
export const monitoringPart: Part = {
  kind: 'monitoring',
  title: 'Monitoring',
  order: 95,
  along: {
    ...comesAlong,
    backup: 'Settings of monitoring are in no backup',
    copy: 'A copy is monitored in the usual way',
  },
  list: (db, websiteIds) =>
    rows<Artefact>(
      db,
      sql`select website_id as "websiteId", 'monitoring' as type, website_id as id, path as name, '' as where,
          case when not enabled then 'Off' when word is not null then 'Expects ' || word else 'Requests ' || path end as detail
        from monitors where website_id = any(${sql.param(websiteIds)}::int[])
          and (not enabled or path <> '/' or word is not null) order by website_id`,
    ),
}
