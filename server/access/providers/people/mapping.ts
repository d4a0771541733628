import { eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { notifyOfMove } from '../../rights/notices.ts'
import { rightsChanged } from '../../rights/rights.ts'
import { users } from '../../users/tables.ts'
import { identities } from '../tables.ts'
import { actingFor } from './acting.ts'

interface Gives {
  roleId: number | null
  roleName: string | null
  departmentId: number | null
}

/** Condition: the person of the identity `i` is in the group of the mapping `m`. */
const isMember = sql`(m.group_name = any(i.groups) or exists (select from provider_group_members gm
  join provider_groups g on g.provider_group_id = gm.group_id
  where gm.identity_id = i.identity_id and g.name = m.group_name))`

/** Whether a mapping of the provider names one of these groups. */
export async function isMapped(db: Db, providerId: number, groups: readonly string[]): Promise<boolean> {
  const [found] = await rows(
    db,
    sql`select from group_mappings where provider_id = ${providerId} and group_name = any(${sql.param([...groups])}::text[]) limit 1`,
  )
  return found !== undefined
}

/** Locks what a department of their groups changes for these people. Callers that lock their rows call it before. */
export async function holdMembers(app: App, db: Db, identityIds: readonly number[]): Promise<void> {
  const found = await rows<{ userId: number }>(
    db,
    sql`select user_id as "userId" from identities where identity_id = any(${sql.param([...identityIds])}::int[])`,
  )
  await app.holdForDepartment(
    db,
    found.map(({ userId }) => userId),
  )
}

/**
 * Gives a person the role and the department of their groups, and takes away what the mapping gave before. What people
 * gave by hand stays, and so do administrators (decision 173).
 */
export async function applyMapping(app: App, db: Db, identityId: number): Promise<void> {
  await holdMembers(app, db, [identityId])
  const [found] = await rows<{
    userId: number
    provider: string
    isAdmin: boolean
    roleId: number | null
    departmentId: number | null
    gaveRoleId: number | null
    gaveDepartmentId: number | null
  }>(
    db,
    sql`select u.user_id as "userId", p.name as provider, u.is_admin as "isAdmin", u.role_id as "roleId",
        u.department_id as "departmentId", i.gave_role_id as "gaveRoleId", i.gave_department_id as "gaveDepartmentId"
      from identities i join users u on u.user_id = i.user_id and u.deleted_at is null
      join identity_providers p on p.provider_id = i.provider_id
      where i.identity_id = ${identityId} for no key update of u, i`, // rows that refer to the person do not wait
  )
  if (!found || found.isAdmin) return
  const gives = await given(db, identityId)
  const role = nextOf(found.roleId, found.gaveRoleId, gives.roleId)
  const department = nextOf(found.departmentId, found.gaveDepartmentId, gives.departmentId)
  await db
    .update(identities)
    .set({ gaveRoleId: role.gave, gaveDepartmentId: department.gave })
    .where(eq(identities.id, identityId))
  if (role.now === found.roleId && department.now === found.departmentId) return
  const by = actingFor({ name: found.provider })
  const save = () =>
    db
      .update(users)
      .set({ roleId: role.now, departmentId: department.now, ...nextVersion })
      .where(eq(users.id, found.userId))
      .then(() => {})
  if (department.now === found.departmentId) await save()
  else await app.changeDepartment(db, { userIds: [found.userId], by, now: new Date() }, save)
  await rightsChanged(app, db, by, { ids: [found.userId] })
  if (role.now !== found.roleId) await notifyOfMove(app, db, by, [found.userId], gives.roleName)
  await changed(db, 'users', found.userId)
}

async function given(db: Db, identityId: number): Promise<Gives> {
  const found = await rows<Gives>(
    db,
    sql`select r.role_id as "roleId", r.name as "roleName", d.department_id as "departmentId"
      from identities i join group_mappings m on m.provider_id = i.provider_id
      left join roles r on r.role_id = m.role_id and r.deleted_at is null
      left join departments d on d.department_id = m.department_id and d.deleted_at is null
      where i.identity_id = ${identityId} and ${isMember} order by m.position`,
  )
  const role = found.find(({ roleId }) => roleId !== null)
  return {
    roleId: role?.roleId ?? null,
    roleName: role?.roleName ?? null,
    departmentId: found.find(({ departmentId }) => departmentId !== null)?.departmentId ?? null,
  }
}

/** A value that somebody chose by hand stays; otherwise the mapping decides. */
function nextOf(
  now: number | null,
  gave: number | null,
  gives: number | null,
): { now: number | null; gave: number | null } {
  const isByHand = now !== null && now !== gave
  return isByHand ? { now, gave: null } : { now: gives, gave: gives }
}
