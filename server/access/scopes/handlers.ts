import { type scopes as contract, scopeTree } from '@innkeeper/contract/access/scopes'
import { holds } from '@innkeeper/contract/kit/access'
import { isPermission, permissionsWords, permissionWords } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { rightsChanged } from '../rights/rights.ts'
import { grantorsOf } from './grantors.ts'
import { readScopes } from './read.ts'
import { syncScopes } from './sync.ts'

/** Maximum number of names listed per permission. */
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

  async ask({ scopes, path, reason }, { db, app, staff, audit }) {
    const lacks = [...new Set(scopes)].filter((scope) => isPermission(scope) && !holds(staff, scope))
    audit.of('user', staff.id)
    if (!lacks.length) {
      audit.after({ scopes: lacks, path, asked: 0 })
      return { asked: 0 } // the caller has these permissions already, so nobody is asked
    }
    await rows(db, sql`select from users where user_id = ${staff.id} for update`) // of two requests at once, one asks
    const title = `${staff.name} asks for ${permissionsWords(lacks)}`
    const [before] = await rows(
      db,
      sql`select from notifications where reason = 'rights' and title = ${title} and date > now() - interval '1 day' limit 1`,
    )
    if (before) throw conflict('You have already asked for this today; the people who can grant it were notified')
    const to = await grantorsOf(db, lacks, staff.id, 'users:role:update', 'users:role:assign')
    await app.notify(db, {
      ...{ to, reason: 'rights', title, link: `/users/${staff.id}` },
      body: `To open ${path}${reason ? `: ${reason}` : '.'} Give a role with these permissions, or say no.`,
    })
    audit.after({ scopes: lacks, path, asked: to.length })
    return { asked: to.length }
  },

  /**
   * People who can grant a permission: first administrators, then people who have it and may change or assign roles.
   */
  async grantors({ scopes }, { db }) {
    const wanted = [...new Set(scopes)].filter(isPermission)
    if (!wanted.length) return { items: [], total: 0 }
    const found = await rows<{ scope: string; name: string }>(
      db,
      sql`select s.scope, g.name from unnest(${sql.param(wanted)}::text[]) with ordinality as s(scope, n)
        cross join lateral (
          (select ${personName()} as name, 0 as rank from users
            where is_admin and deleted_at is null order by 1 limit ${NAMED + 1})
          union all
          (select ${personName('u')}, 1 from users u join roles r on r.role_id = u.role_id
            where not u.is_admin and u.deleted_at is null and r.deleted_at is null and r.scopes @> array[s.scope]
              and r.scopes && '{users:role:update,users:role:assign}' order by 1 limit ${NAMED + 1})
          order by rank, name limit ${NAMED + 1}) g
        order by s.n, g.rank, g.name`,
    )
    const items = wanted.map((scope) => {
      const names = found.filter((row) => row.scope === scope).map(({ name }) => name)
      return { scope, label: permissionWords(scope), names: names.slice(0, NAMED), more: names.length > NAMED }
    })
    return { items, total: items.length }
  },
}
