import { sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'

/**
 * Gives a website the PHP parameters of another one, with its application and own rules. The numbers of the versions
 * begin anew.
 */
export async function copySettings(db: Db, from: number, to: number, by: number): Promise<void> {
  await copyRules(db, from, to, by)
  await db.execute(
    sql`insert into origin_vhosts (website_id, php_parameters, created_by)
      select ${to}, php_parameters, ${by} from origin_vhosts where website_id = ${from} and php_parameters <> '{}'
      on conflict (website_id) do update set php_parameters = excluded.php_parameters`,
  )
}

/** Gives a website the application and the own rules of another one. A new website from a backup gets only these. */
export async function copyRules(db: Db, from: number, to: number, by: number): Promise<void> {
  await db.execute(
    sql`update websites set found_application = was.found_application from websites was
      where websites.website_id = ${to} and was.website_id = ${from}`,
  )
  await db.execute(
    sql`insert into own_rules (website_id, number, nginx, apache, note, staff_name, created_by)
      select ${to}, 1, r.nginx, r.apache, r.note, r.staff_name, r.created_by
      from own_rules r join origin_vhosts v on v.website_id = r.website_id and v.rules_number = r.number
      where r.website_id = ${from}`,
  )
  await db.execute(
    sql`insert into origin_vhosts (website_id, application, rules_number, created_by)
      select ${to}, application, case when rules_number is not null then 1 end, ${by} from origin_vhosts
      where website_id = ${from} and (application is not null or rules_number is not null)
      on conflict (website_id) do update set application = excluded.application, rules_number = excluded.rules_number`,
  )
}

/** Copies how a website is monitored to another one. */
export const copyMonitoring = (db: Db, from: number, to: number, by: number): Promise<unknown> =>
  db.execute(
    sql`insert into monitors (website_id, enabled, path, word, created_by)
      select ${to}, enabled, path, word, ${by} from monitors where website_id = ${from}
      on conflict (website_id) do update set enabled = excluded.enabled, path = excluded.path, word = excluded.word`,
  )
