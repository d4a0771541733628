import { sql } from 'drizzle-orm'
import type { Db } from '../server/kit/db.ts'

/** Fills an empty database with `n` websites over 40 servers, as SQL alone: a million take about a minute. */
export async function fill(db: Db, n: number): Promise<void> {
  await db.execute(
    sql`insert into owners (name, email) select 'Owner ' || i, 'owner' || i || '@example.org' from generate_series(1, ${Math.ceil(n / 20)}::int) i`,
  )
  await db.execute(
    sql`insert into servers (name, address, type, provisioned_at) select 'web-' || i, '192.0.2.' || i, 'web', now() from generate_series(1, 40) i`,
  )
  await db.execute(sql`insert into system_users (username, server_id, owner_id, plan_id, home_dir, shell)
    select 'u' || owner_id, 1 + owner_id % 40, owner_id, 1 + owner_id % 5, '/home/u' || owner_id, '/usr/sbin/nologin' from owners`)
  await db.execute(sql`insert into websites (domain, status, owner_id, server_id, plan_id, system_user_id, document_root, php_version, created_at, updated_at)
    select substr(md5(i::text), 1, 10) || '-' || i || '.example', case when i % 90 = 0 then 'failed' when i % 32 = 0 then 'suspended' else 'active' end,
      o, 1 + o % 40, 1 + o % 5, o, '/home/u' || o || '/public', '8.2', now() - i * interval '7 seconds', now() - i * interval '3 seconds'
    from (select i, 1 + (i % ${Math.ceil(n / 20)}::int) as o from generate_series(1, ${n}::int) i) as made`)
  await db.execute(sql`vacuum analyze`)
}
