import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { AccountPart } from '../systemUsers/parts.ts'
import { cacheStep } from './steps.ts'

/** Sets the memory limit of the caches of an account's websites when the plan of the account changes. */
export const cachesOfAccount: AccountPart = {
  order: 50,
  async resize(db, { id, username, server, plan }) {
    const found = await rows<{ id: number; domain: string; suspended: boolean }>(
      db,
      sql`select w.website_id as id, w.domain, w.status = 'suspended' as suspended
        from websites w join redis_caches r on r.website_id = w.website_id and r.state = 'on'
        where w.system_user_id = ${id} and w.deleted_at is null order by w.website_id`,
    )
    return found.map(({ suspended, ...site }) =>
      cacheStep({ ...site, systemUser: { id, username }, server, plan }, suspended ? 'suspended' : 'active'),
    )
  },
}
