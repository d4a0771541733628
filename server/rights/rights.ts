import { holds } from '@innkeeper/contract/access'
import { sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import type { App } from '../kit/app/app.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { denied, refused } from '../kit/http/errors.ts'
import { endWeakEntries } from './letIn.ts'
import { mayActOn } from './reach.ts'

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

/**
 * Refuses access to the account of another person beyond the caller's reach, because signing in gives that person's
 * rights.
 */
export async function mayLetIn(db: Db, staff: Staff, target: { id: number }): Promise<void> {
  if (target.id === staff.id) throw refused('Your own sign-in is changed under Security')
  await mayActOn(db, staff, { ids: [target.id] })
}

const ADMINISTRATORS = 4_400_011

/**
 * One after the other removes an administrator. Comes before the lock of any user: with row locks in another order two
 * removals at once would wait for each other.
 */
export async function removeInTurn(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${ADMINISTRATORS})`)
}

/** Refuses to remove the last administrator; the caller removes in turn. */
export async function keepAnAdministrator(db: Db, leaving: number): Promise<void> {
  const [other] = await rows(
    db,
    sql`select from users where is_admin and deleted_at is null and user_id <> ${leaving} limit 1`,
  )
  if (!other) throw refused('This is the last administrator. Make somebody else one first.')
}

/** Applies changed rights from the commit on, on every node and open screen, and ends entries that they outgrew. */
export async function rightsChanged(app: App, db: Db, by: Staff, people: { role: number } | { ids: number[] }) {
  await endWeakEntries(app, db, by, people)
  const whose =
    'role' in people ? sql`u.role_id = ${people.role}` : sql`u.user_id = any(${sql.param(people.ids)}::int[])`
  // triggers kept what was taken in this transaction
  const lesser = await rows<{ id: number }>(
    db,
    sql`select distinct u.user_id as id from users u join held_rights h on h.user_id = u.user_id
      where ${whose} and h.until = now()::timestamptz(3)`,
  )
  await app.endKeys(
    db,
    lesser.map(({ id }) => id),
  )
  const signedIn = await rows<{ id: number }>(
    db,
    sql`select distinct u.user_id as id from users u join sessions s on s.user_id = u.user_id
      where ${whose} and s.revoked_at is null and s.expires_at > now()`,
  )
  await app.sessions.touch(
    db,
    signedIn.map(({ id }) => id),
  )
}
