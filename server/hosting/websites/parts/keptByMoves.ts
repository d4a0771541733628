import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

export interface Kept {
  name: string
  /** Databases and their accounts only. */
  engine: string | null
  websiteId: number
  domain: string
}
const columns = { databases: 'name', database_users: 'username', ftp_users: 'username' } as const

/**
 * What moves that have not ended keep on a server under names that no row of the server has: the former databases and
 * logins until the old server is retired, and the new ones before the cutover. A newcomer of such a name would get
 * their contents, and lose them when the move ends.
 */
export const keptByMoves = (db: Db, serverId: number, table: keyof typeof columns): Promise<Kept[]> =>
  rows<Kept>(
    db,
    sql`select k.${sql.identifier(columns[table])} as name, to_jsonb(k)->>'engine' as engine,
        w.website_id as "websiteId", w.domain
      from website_migrations m cross join lateral jsonb_array_elements(m.sites) s
      join websites w on w.website_id = (s->>'id')::int
      join ${sql.identifier(table)} k on k.website_id = w.website_id and k.deleted_at is null
        and k.server_id <> ${serverId}
      where ${serverId} in (m.source_server_id, m.target_server_id) and m.status in ('running', 'paused', 'failed', 'soaking')`,
  )
