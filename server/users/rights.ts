import { holds } from '@innkeeper/contract/access'
import { sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import type { App } from '../kit/app/app.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { denied, refused } from '../kit/http/errors.ts'

/** Refuses to give permissions that the caller lacks: 422 with the field, naming up to three of them. */
export function mayGive(staff: Staff, scopes: readonly string[], field: string): void {
  const lacks = scopes.filter((scope) => !holds(staff, scope))
  if (!lacks.length) return
  const more = lacks.length > 3 ? ` and ${lacks.length - 3} more` : ''
  const text = `You may not give what you do not hold: ${lacks.slice(0, 3).join(', ')}${more}`
  throw refused(text, { [field]: text })
}

/** Assigning a role requires its own permission, in any form. */
export function mayAssign(staff: Staff): void {
  if (!holds(staff, 'users:role:assign')) throw denied(['users:role:assign'])
}

/** Only administrators set or remove the administrator flag. */
export function mayMakeAdministrators(staff: Staff): void {
  if (staff.isAdmin) return
  const text = 'Only an administrator makes administrators'
  throw refused(text, { isAdmin: text })
}

/** Only administrators change accounts of administrators; otherwise any account manager could become one. */
export function mayChange(staff: Staff, target: { isAdmin: boolean; name: string }): void {
  if (target.isAdmin && !staff.isAdmin)
    throw refused(`${target.name} is an administrator: only administrators change that account`)
}

/**
 * Checks who may create a password or sign-in link for somebody: whoever signs in as that person gets their
 * permissions, so the caller must have all of them. Nobody may do so for themselves.
 */
export async function mayLetIn(db: Db, staff: Staff, target: { id: number; isAdmin: boolean; name: string }) {
  if (target.id === staff.id) throw refused('Your own password is changed under Security')
  mayChange(staff, target)
  const [role] = await rows<{ scopes: string[] }>(
    db,
    sql`select r.scopes from users u join roles r on r.role_id = u.role_id where u.user_id = ${target.id}`,
  )
  const lacks = (role?.scopes ?? []).filter((scope) => !holds(staff, scope))
  if (lacks.length) throw refused(`${target.name} holds what you do not: ${lacks.slice(0, 3).join(', ')}`)
}

/** Refuses to remove the last administrator. Locks all administrators, so that two cannot be removed at once. */
export async function keepAnAdministrator(db: Db, leaving: number): Promise<void> {
  const administrators = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where is_admin and deleted_at is null order by user_id for update`,
  )
  if (administrators.every(({ id }) => id === leaving))
    throw refused('This is the last administrator. Make somebody else one first.')
}

/** Applies changed permissions of signed-in people from the commit on, on every node and open screen. */
export async function rightsChanged({ sessions }: App, db: Db, people: { role: number } | { ids: number[] }) {
  const whose =
    'role' in people ? sql`u.role_id = ${people.role}` : sql`u.user_id = any(${sql.param(people.ids)}::int[])`
  const signedIn = await rows<{ id: number }>(
    db,
    sql`select distinct u.user_id as id from users u join sessions s on s.user_id = u.user_id
      where ${whose} and s.revoked_at is null and s.expires_at > now()`,
  )
  await sessions.touch(
    db,
    signedIn.map(({ id }) => id),
  )
}
