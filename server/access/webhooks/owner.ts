import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { mayRead, type ReadScopes } from '../../kit/live/live.ts'

/** The kind of a message that only shows that the receiver answers. */
export const PING = 'ping'

/** A webhook with the present rights of its owner. */
export interface Owned {
  id: number
  name: string
  url: string
  domains: string[]
  objects: number[]
  departments: number[]
  state: 'active' | 'paused'
  hasOld: boolean
  /** The owner, or the person who answers for the service account that owns it. */
  notifyId: number
  isAdmin: boolean
  scopes: string[]
  /** False: the account of the owner was deleted. */
  isOwned: boolean
}

export const readOwned = (db: Db, where: SQL): Promise<Owned[]> =>
  rows<Owned>(
    db,
    sql`select w.webhook_id as id, w.name, w.url, w.domains, w.objects, w.departments, w.state,
        w.old_secret_until > now() is true as "hasOld", coalesce(a.owner_id, u.user_id) as "notifyId",
        u.is_admin as "isAdmin", coalesce(r.scopes, '{}') as scopes, u.deleted_at is null and u.suspended_at is null as "isOwned"
      from webhooks w join users u on u.user_id = w.owner_id
      left join service_accounts a on a.service_account_id = u.user_id
      left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where w.deleted_at is null and ${where}`,
  )

/** Whether a webhook gets changes of this kind: its owner would see them on an open screen. */
export const maySend = (hook: Owned, readScopes: ReadScopes, domain: string): boolean =>
  hook.isOwned && (domain === PING || mayRead(hook, readScopes, { domain }))
