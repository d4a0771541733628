import { holds } from '@innkeeper/contract/kit/access'
import { permissions } from '@innkeeper/contract/permissions/services'
import { type SQL, sql } from 'drizzle-orm'
import { ELEVATION_SCOPES, IS_HELD } from '../../kit/access/elevated.ts'
import { type Staff, standing } from '../../kit/access/sessions.ts'
import { namesText } from '../../kit/app/namesText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { outOfReach } from '../../kit/http/errors.ts'

/** Number of days for which a lost right still protects the person who had it. */
export const LATELY_DAYS = 30

export const lately = sql`now() - make_interval(days => ${LATELY_DAYS})`
const inHeld = sql`from held_rights h where h.user_id = u.user_id and h.until > ${lately}`

/**
 * Rows of users with their present rights, or also with those of the last days. What they have by an elevation protects
 * them (`elevated`), and gives them no reach over others.
 */
export const peopleWith = (rights: 'now' | 'lately', { elevated = false } = {}): SQL => {
  const forSomeTime = elevated
    ? sql`|| array(select g.s from elevations x, lateral (${ELEVATION_SCOPES}) g where x.user_id = u.user_id and ${IS_HELD})`
    : sql``
  const [wasAdmin, hadScopes] =
    rights === 'now'
      ? [sql``, sql``]
      : [
          sql`or exists (select ${inHeld} and h.is_admin)`,
          sql`|| array(select s from (select unnest(h.scopes) as s ${inHeld}) x)`,
        ]
  return sql`(select u.user_id, u.role_id, u.department_id, u.deleted_at, u.let_in_by_id, u.let_in_at,
      ${personName('u')} as name, u.is_admin ${wasAdmin} as is_admin,
      coalesce(r.scopes, '{}') ${hadScopes} ${forSomeTime} as scopes
    from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null)`
}

/** Ids of the people whose sign-in somebody made lately, and as whom they could therefore sign in. */
export async function peopleLetInBy(db: Db, makerId: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where let_in_by_id = ${makerId} and user_id <> ${makerId}
      and let_in_at > ${lately} and deleted_at is null`,
  )
  return found.map(({ id }) => id)
}

/** Condition: `m` has every right of `p`, and the department of `p`. Both are rows of `peopleWith`. */
export const covers = sql`(m.is_admin or not p.is_admin and p.scopes <@ m.scopes
  and (p.department_id is null or p.department_id = m.department_id))`

/**
 * Whose account somebody may change (decision 35). Whoever changes somebody's account, sign-in or rights needs
 * every right that this person holds or held lately, and works in the person's department. Administrators reach
 * everybody; everybody reaches themselves.
 */
export async function mayActOn(
  db: Db,
  staff: Staff,
  whom: { ids: readonly number[] } | { role: number },
): Promise<void> {
  if (staff.isAdmin) return
  const own = standing(staff)
  const lacking = sql`${sql.param(Object.keys(permissions).filter((scope) => !holds(own, scope)))}::text[]`
  const meant =
    'role' in whom ? sql`p.role_id = ${whom.role}` : sql`p.user_id = any(${sql.param([...whom.ids])}::int[])`
  const [beyond] = await rows<{ name: string; isAdmin: boolean; lacks: string[]; departmentId: number | null }>(
    db,
    sql`select p.name, p.is_admin as "isAdmin", p.department_id as "departmentId",
        array(select distinct s from unnest(p.scopes) s where s = any(${lacking}) order by 1) as lacks
      from ${peopleWith('lately', { elevated: true })} p
      where ${meant} and p.deleted_at is null and p.user_id <> ${staff.id}
        and (p.is_admin or p.scopes && ${lacking} or p.department_id <> ${staff.departmentId ?? 0})
      order by p.is_admin desc, cardinality(p.scopes) desc, p.user_id limit 1`,
  )
  if (!beyond) return
  const { name, isAdmin, lacks, departmentId } = beyond
  if (isAdmin)
    throw outOfReach(
      `${name} is an administrator, or was one in the last ${LATELY_DAYS} days: only an administrator may do this`,
    )
  if (lacks.length)
    throw outOfReach(`${name} has, or had in the last ${LATELY_DAYS} days, permissions that you lack: ${some(lacks)}`)
  const department = departmentId === null ? '' : await nameOfDepartment(db, departmentId)
  throw outOfReach(`${name} belongs to ${department}: only somebody of that department or an administrator may do this`)
}

/** Changing or deleting a role needs its permissions, its department, and the reach of all who have the role. */
export async function mayChangeRole(
  db: Db,
  staff: Staff,
  role: { id: number; name: string; scopes: readonly string[]; departmentId: number | null },
): Promise<void> {
  if (staff.isAdmin) return
  const lacks = role.scopes.filter((scope) => !holds(standing(staff), scope))
  if (lacks.length) throw outOfReach(`The role ${role.name} has permissions that you lack: ${some(lacks)}`)
  if (role.departmentId !== null && role.departmentId !== staff.departmentId)
    throw outOfReach(`The role ${role.name} belongs to another department: an administrator may change it`)
  await mayActOn(db, staff, { role: role.id })
}

/**
 * A department gives access to zones and events, so people can neither choose their own department nor assign one to
 * which they do not belong.
 * Taking somebody out of a department is an act on that person: `mayActOn` checks it.
 */
export async function mayPlace(
  db: Db,
  staff: Staff,
  people: readonly number[],
  departmentId: number | null,
): Promise<void> {
  if (staff.isAdmin) return
  if (people.includes(staff.id))
    throw outOfReach('You cannot change your own department: ask an administrator, or somebody of that department')
  if (departmentId !== null && departmentId !== staff.departmentId)
    throw outOfReach(
      `You do not belong to ${await nameOfDepartment(db, departmentId)}: only somebody of that department or an administrator moves people into it`,
    )
}

/**
 * A thing that departments own, such as a zone, is given to and taken from departments only by their own people: whoever
 * gives it opens it to them, and whoever takes it away closes it for them. Without departments it belongs to everybody,
 * so that only an administrator takes it from all the others.
 */
export async function mayHandOver(
  db: Db,
  staff: Staff,
  thing: { name: string; before: readonly number[]; after: readonly number[]; isNew?: boolean },
): Promise<void> {
  if (staff.isAdmin) return
  const { name, isNew = false } = thing
  const [before, after] = [new Set(thing.before), new Set(thing.after)]
  const refuse = (message: string) => outOfReach(message, { departmentIds: message })
  for (const [ids, to] of [
    [after.difference(before), 'gives'],
    [before.difference(after), 'takes'],
  ] as const) {
    const foreign = [...ids].find((id) => id !== staff.departmentId)
    if (foreign === undefined) continue
    const department = await nameOfDepartment(db, foreign)
    throw refuse(
      `You do not belong to ${department}: only somebody of that department or an administrator ${to === 'gives' ? `gives ${name} to it` : `takes ${name} from it`}`,
    )
  }
  if (!isNew && !before.size && after.size)
    throw refuse(`${name} is everybody’s: only an administrator gives it to one department`)
}

/**
 * The name says to whom zones and events are visible, so that people cannot rename a department to which they do not
 * belong. An empty one, such as a department just created, may be corrected.
 */
export function mayRename(staff: Staff, department: { id: number; name: string; people: number; roles: number }): void {
  const isEmpty = !department.people && !department.roles
  if (staff.isAdmin || isEmpty || department.id === staff.departmentId) return
  throw outOfReach(
    `You do not belong to ${department.name}: only somebody of that department or an administrator changes its name and description`,
  )
}

/** Refuses to change one's own role, even to a weaker one, which might not require a second factor. */
export function mayAssignTo(staff: Staff, people: readonly number[]): void {
  if (!staff.isAdmin && people.includes(staff.id))
    throw outOfReach(
      'You cannot change your own role: ask an administrator, or somebody with all permissions of the role',
    )
}

/** Refuses to remove the second factor from a role that the caller has. */
export async function mayLiftSecondFactor(db: Db, staff: Staff, role: { id: number; name: string }): Promise<void> {
  if (staff.isAdmin) return
  const [own] = await rows(db, sql`select from users where user_id = ${staff.id} and role_id = ${role.id}`)
  if (own)
    throw outOfReach(
      `You have the role ${role.name}: somebody else, or an administrator, must remove the requirement of a second factor`,
    )
}

/** Name of a department for messages; a deleted department has none. */
async function nameOfDepartment(db: Db, id: number): Promise<string> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select name from departments where department_id = ${id} and deleted_at is null`,
  )
  return found?.name ?? 'another department'
}

const some = (scopes: readonly string[]) => namesText(scopes, 3)
