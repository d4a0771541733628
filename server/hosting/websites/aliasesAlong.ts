import { sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'

/**
 * Gives a copy of a website the same names below its own domain as the website has below that: `*.shop.example` becomes
 * `*.staging-1.shop.example`. A network of WordPress answers under such names. A name that is taken is left out.
 */
export async function aliasesAlong(db: Db, from: number, to: number): Promise<void> {
  await db.execute(
    sql`insert into websites (domain, kind, mode, status, environment, parent_id, owner_id, server_id, plan_id,
        system_user_id, document_root, php_version, created_by)
      select n.name, 'alias', 'serve', 'active', c.environment, c.website_id, c.owner_id, c.server_id, c.plan_id,
        c.system_user_id, c.document_root, c.php_version, c.created_by
      from websites a join websites l on l.website_id = a.parent_id join websites c on c.website_id = ${to}
        cross join lateral (select left(a.domain, -length(l.domain)) || c.domain as name) n
      where a.parent_id = ${from} and a.kind = 'alias' and a.mode = 'serve' and a.deleted_at is null
        and a.status in ('active', 'suspended') and right(a.domain, length(l.domain) + 1) = '.' || l.domain
        and length(n.name) <= 253
        and not exists (select from websites w where w.domain = n.name and w.deleted_at is null)`,
  )
}
