import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/**
 * The move whose remains are all that an account has: its website left for another server, and the account stays as it
 * was until the old server is retired. Undefined if a website uses the account.
 */
export async function remainsOf(db: Db, systemUserId: number): Promise<Remains | undefined> {
  const [found] = await rows<Remains>(
    db,
    sql`select m.domain, t.name as "serverName", u.username
      from website_migrations m cross join lateral jsonb_array_elements(m.sites) s
      join servers t on t.server_id = m.target_server_id
      join system_users u on u.system_user_id = (s->'to'->>'systemUserId')::int
      where (s->'from'->>'systemUserId')::int = ${systemUserId} and m.status in ('running', 'paused', 'failed', 'soaking')
        and not exists (select from websites w where w.system_user_id = ${systemUserId} and w.deleted_at is null)
      order by m.website_migration_id desc limit 1`,
  )
  return found
}
export interface Remains {
  domain: string
  /** The server and account that the website has now. */
  serverName: string
  username: string
}
