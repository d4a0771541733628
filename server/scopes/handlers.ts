import { isPermission } from '@innkeeper/contract/permissions'
import { type scopes as contract, scopeTree } from '@innkeeper/contract/scopes'
import { sql } from 'drizzle-orm'
import { rows } from '../kit/db/db.ts'
import type { Handlers } from '../kit/http/api.ts'
import { changed } from '../kit/live/live.ts'
import { rightsChanged } from '../rights/rights.ts'
import { readScopes } from './read.ts'
import { syncScopes } from './sync.ts'

/** Names listed per permission. */
const NAMED = 3

export const scopesHandlers: Handlers<typeof contract> = {
  async list(_, { db }) {
    const items = await readScopes(db)
    return { items, total: items.length, tree: scopeTree(items) }
  },

  async sync(_, { db, app, staff, audit }) {
    const synced = await syncScopes(db)
    audit.after(synced)
    for (const role of synced.roles) await rightsChanged(app, db, staff, { role: role.id })
    if (synced.roles.length) await changed(db, 'roles')
    if (synced.added.length || synced.removed.length) await changed(db, 'scopes')
    return { ...synced, total: (await readScopes(db)).length }
  },

  /** Who can grant a permission: administrators first, then people who have it and may change roles or assign them. */
  async grantors({ scopes }, { db }) {
    const wanted = [...new Set(scopes)].filter(isPermission)
    if (!wanted.length) return { items: [], total: 0 }
    const found = await rows<{ scope: string; name: string }>(
      db,
      sql`select s.scope, g.name from unnest(${sql.param(wanted)}::text[]) with ordinality as s(scope, n)
        cross join lateral (
          (select first_name || ' ' || last_name as name, 0 as rank from users
            where is_admin and deleted_at is null order by 1 limit ${NAMED + 1})
          union all
          (select u.first_name || ' ' || u.last_name, 1 from users u join roles r on r.role_id = u.role_id
            where not u.is_admin and u.deleted_at is null and r.deleted_at is null and r.scopes @> array[s.scope]
              and r.scopes && '{users:role:update,users:role:assign}' order by 1 limit ${NAMED + 1})
          order by rank, name limit ${NAMED + 1}) g
        order by s.n, g.rank, g.name`,
    )
    const items = wanted.map((scope) => {
      const names = found.filter((row) => row.scope === scope).map(({ name }) => name)
      return { scope, names: names.slice(0, NAMED), more: names.length > NAMED }
    })
    return { items, total: items.length }
  },
}
