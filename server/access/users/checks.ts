import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { mayAssignTo, mayPlace } from '../rights/reach.ts'
import { mayAssign, mayGive } from '../rights/rights.ts'
import { scopesOfRole } from '../roles/read.ts'

/** User names and email addresses are unique together, ignoring case, because both sign in. Those of deleted users can be used again. */
export async function checkFree(
  db: Db,
  { username, email }: { username?: string | undefined; email?: string | undefined },
  except = 0,
): Promise<void> {
  const taken = await rows<{ sameName: boolean; name: string }>(
    db,
    sql`select lower(username) = lower(${username ?? ''}) or lower(email) = lower(${username ?? ''}) as "sameName",
        ${personName()} as name from users
      where (lower(username) in (lower(${username ?? ''}), lower(${email ?? ''}))
          or lower(email) in (lower(${username ?? ''}), lower(${email ?? ''})))
        and deleted_at is null and user_id <> ${except}`,
  )
  if (!taken.length) return
  const fields = Object.fromEntries(
    taken.map(({ sameName, name }) => [sameName ? 'username' : 'email', `Already belongs to ${name}`]),
  )
  throw conflict('Another account already has this', { fields })
}

interface Place {
  id?: number
  roleId?: number | null | undefined
  departmentId?: number | null | undefined
}

/**
 * Checks that role and department exist and that the caller may give them. Locks both rows until the call ends.
 */
export async function checkBelongs({ db, staff }: Context, fields: Place, before: Place = {}): Promise<void> {
  const { roleId, departmentId } = fields
  if (roleId !== undefined && roleId !== (before.roleId ?? null)) mayAssign(staff)
  if (roleId && roleId !== before.roleId) mayGive(staff, await scopesOfRole(db, roleId), 'roleId')
  if (roleId !== undefined && roleId !== (before.roleId ?? null) && before.id !== undefined)
    mayAssignTo(staff, [before.id])
  if (departmentId === undefined || departmentId === (before.departmentId ?? null)) return
  const [found] =
    departmentId === null
      ? [true]
      : await rows(
          db,
          sql`select from departments where department_id = ${departmentId} and deleted_at is null for share`,
        )
  if (!found) throw refused('That department is gone', { departmentId: 'Is gone. Choose another.' })
  await mayPlace(db, staff, before.id === undefined ? [] : [before.id], departmentId)
}
