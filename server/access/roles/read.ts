import type { Role } from '@innkeeper/contract/access/roles'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { roles } from './tables.ts'

const select = byIds((db, isWanted) =>
  db
    .select({
      id: roles.id,
      version: roles.version,
      createdAt: roles.createdAt,
      updatedAt: roles.updatedAt,
      name: roles.name,
      description: roles.description,
      scopes: roles.scopes,
      departmentId: roles.departmentId,
      departmentName: sql<
        string | null
      >`(select d.name from departments d where d.department_id = roles.department_id)`,
      requiresSecondFactor: roles.requiresSecondFactor,
      sessionHours: roles.sessionHours,
      sessionIdleMinutes: roles.sessionIdleMinutes,
      people: sql<number>`(select count(*)::int from users u where u.role_id = roles.role_id and u.deleted_at is null)`,
    })
    .from(roles)
    .where(and(isWanted(roles.id), isNull(roles.deletedAt))),
)

export async function readRoles(db: Db, ids: number[]): Promise<Role[]> {
  const found = await select(db, ids)
  // sorted, so that equal sets are equal lists
  return inOrder(
    ids,
    found.map((role) => ({ ...role, scopes: role.scopes.sort() })),
  )
}

export async function readRole(db: Db, id: number): Promise<Role> {
  const [role] = await readRoles(db, [id])
  if (!role) throw notFound('role', id)
  return role
}

/** Locks a role until the call ends, so that concurrent writes see each other. 404, or 409 with the stored row. */
export async function findRole({ db, audit }: Context, id: number, version?: number): Promise<Role> {
  await db.select({ id: roles.id }).from(roles).where(eq(roles.id, id)).for('update')
  const role = await readRole(db, id)
  audit.before(role)
  checkVersion(role, version, role.name)
  return role
}

/**
 * Permissions of a role. Locks the row until the call ends, so that the checked permissions are those that are given.
 */
export async function scopesOfRole(db: Db, roleId: number, field = 'roleId'): Promise<string[]> {
  const [found] = await rows<{ scopes: string[] }>(
    db,
    sql`select scopes from roles where role_id = ${roleId} and deleted_at is null for share`,
  )
  if (!found) throw refused(`Role ${roleId} is gone`, { [field]: 'Is gone. Choose another.' })
  return found.scopes
}
