import { CHECK_S } from '@innkeeper/contract/hosting/monitoring'
import { sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'

/** Maximum number of new monitors per run, so that monitoring of a large fleet starts over several rounds. */
const MOST = 5000

/** Condition: the website itself serves visitors, and is therefore monitored. */
const served = sql`w.deleted_at is null and w.status = 'active' and w.kind <> 'alias' and not w.maintenance
  and exists (select from servers s where s.server_id = w.server_id and s.credential_hash is not null)`
const soon = sql`now() + make_interval(secs => random() * ${CHECK_S})`

/**
 * Starts to monitor websites that are now served, spread over an interval, and stops monitoring those that are
 * suspended, in maintenance, moving or deleted. Their state is unknown until they are served again.
 */
export async function park(db: Db): Promise<void> {
  await db.execute(sql`insert into monitors (website_id, next_at)
    select w.website_id, ${soon} from websites w
    where ${served} and not exists (select from monitors m where m.website_id = w.website_id) limit ${MOST}
    on conflict do nothing`)
  await db.execute(sql`update monitors m set next_at = ${soon} from websites w
    where w.website_id = m.website_id and m.next_at is null and m.enabled and ${served}`)
  await db.execute(sql`update monitors m set next_at = null, state = 'unknown', since = now(), failures = 0, told = null
    from websites w where w.website_id = m.website_id and m.next_at is not null and not (m.enabled and ${served})`)
}
