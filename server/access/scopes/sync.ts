import { isPermission, permissions } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

export interface Synced {
  added: string[]
  removed: string[]
  roles: { id: number; name: string; lost: string[] }[]
}

/**
 * Makes the stored permissions equal to the catalogue, and removes unknown ones from roles. A repeated run changes
 * nothing.
 */
export async function syncScopes(db: Db): Promise<Synced> {
  const catalogue = Object.entries(permissions)
  const names = sql.param(catalogue.map(([scope]) => scope))
  const added = await rows<{ scope: string; fresh: boolean }>(
    db,
    sql`insert into scopes (scope, description)
      select * from unnest(${names}::text[], ${sql.param(catalogue.map(([, description]) => description))}::text[])
      on conflict (scope) do update set description = excluded.description
        where scopes.description <> excluded.description
      returning scope, xmax = 0 as fresh`,
  )
  const removed = await rows<{ scope: string }>(
    db,
    sql`delete from scopes where scope <> all(${names}::text[]) returning scope`,
  )
  return {
    added: added.flatMap(({ scope, fresh }) => (fresh ? [scope] : [])).sort(),
    removed: removed.map(({ scope }) => scope).sort(),
    roles: await tidyRoles(db, names),
  }
}

/** Removes permissions from roles that the catalogue does not contain. */
async function tidyRoles(db: Db, names: ReturnType<typeof sql.param>): Promise<Synced['roles']> {
  const odd = await rows<{ id: number; name: string; scopes: string[] }>(
    db,
    sql`select role_id as id, name, scopes from roles
      where deleted_at is null and not scopes <@ ${names}::text[] order by name for update`,
  )
  for (const { id, scopes } of odd)
    await db.execute(
      sql`update roles set scopes = ${sql.param(scopes.filter(isPermission))}::text[], version = version + 1,
        updated_at = now() where role_id = ${id}`,
    )
  return odd.map(({ id, name, scopes }) => ({ id, name, lost: scopes.filter((scope) => !isPermission(scope)) }))
}

/** Stores the permissions of a new installation. Later changes are synced by a person, who reviews them. */
export async function ensureScopes(db: Db): Promise<void> {
  const [known] = await rows(db, sql`select from scopes limit 1`)
  if (!known) await syncScopes(db)
}
