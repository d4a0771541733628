import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { endName } from '../websites/trash/removal.ts'

/** Title of the round. */
const ROUND = 'an old name could not be ended'

/** Ends former names whose redirect period is over. The website's lock keeps other nodes from ending the same name. */
export async function endOldNames(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select w.website_id as id from websites w join websites p on p.website_id = w.parent_id
      where w.until < now() and w.deleted_at is null and w.status in ('active', 'suspended')
        and p.status in ('active', 'suspended')
        and not exists (select from resource_locks l
          where l.resource in ('website:' || w.website_id, 'website:' || p.website_id))
      order by ${failedLast(app, ROUND, sql`w.website_id`)}, w.until limit 50`,
  )
  // 409: another node has started to end this name
  await eachOf(app, ROUND, due, ({ id }) => app.db.transaction((tx) => endName(tx, id)))
  return due.length
}
