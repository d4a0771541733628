import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import { type Staff, standing } from '../../kit/access/sessions.ts'
import type { App } from '../../kit/app/app.ts'
import { namesText } from '../../kit/app/namesText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { denied, outOfReach, refused } from '../../kit/http/errors.ts'
import { beyondAppointments } from './appointments.ts'
import { endWeakEntries } from './letIn.ts'
import { mayActOn } from './reach.ts'

/**
 * Refuses to give permissions that the caller lacks, or has for some time only: 422 with the field, naming up to three of
 * them. Otherwise a token or a role would keep what ends with an elevation.
 */
export function mayGive(staff: Staff, scopes: readonly string[], field: string): void {
  const own = standing(staff)
  const lacks = scopes.filter((scope) => !holds(own, scope))
  if (!lacks.length) return
  const isHeld = lacks.every((scope) => holds(staff, scope))
  const text = `You cannot give permissions that you ${isHeld ? 'have for some time only' : 'lack'}: ${namesText(lacks, 3)}`
  throw refused(text, { [field]: text })
}

/** Every call that assigns a role requires `users:role:assign`. */
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
 * Refuses to change the sign-in of a person whom the caller does not reach, or who reads or decides more by an
 * appointment, because signing in as them gives their rights.
 */
export async function mayLetIn(context: Context, target: { id: number; name: string }): Promise<void> {
  const { db, staff } = context
  if (target.id === staff.id) throw refused('Change your own sign-in under Security')
  await mayActOn(db, staff, { ids: [target.id] })
  if (staff.isAdmin) return
  const beyond = await beyondAppointments(context, staff.id, target)
  if (beyond)
    throw outOfReach(`${beyond}: an administrator, or somebody with the same appointments, changes this sign-in`)
}

const ADMINISTRATORS = 4_400_011

/**
 * Serialises removals of administrators. Take this lock before the lock of any user: in another order two concurrent
 * removals would deadlock.
 */
export async function removeInTurn(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${ADMINISTRATORS})`)
}

/** Refuses to remove the last administrator. The caller has called `removeInTurn`. */
export async function keepAnAdministrator(db: Db, leaving: number): Promise<void> {
  const [other] = await rows(
    db,
    sql`select from users where is_admin and deleted_at is null and suspended_at is null and user_id <> ${leaving} limit 1`,
  )
  if (!other) throw refused('This is the last administrator. Make somebody else one first.')
  const [glass] = await rows(db, sql`select from sign_in_settings where break_glass_id = ${leaving} and not passwords`)
  if (glass)
    throw refused(
      'This is the break-glass administrator, whose password works while passwords are off. Name another one first.',
    )
}

/** Announces changed rights at the commit to every node and open screen, and ends sign-ins by weaker people (`letIn`). */
export async function rightsChanged(app: App, db: Db, by: Staff, people: { role: number } | { ids: number[] }) {
  await endWeakEntries(app, db, by, people)
  const whose =
    'role' in people ? sql`u.role_id = ${people.role}` : sql`u.user_id = any(${sql.param(people.ids)}::int[])`
  const forSomeTime =
    'role' in people
      ? sql`or u.user_id in (select user_id from elevations where role_id = ${people.role} and starts_at is not null
          and ends_at > now() and (ended_at is null or told_at is null))`
      : sql``
  // triggers recorded the rights that this transaction removed
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
    sql`select u.user_id as id from users u where (${whose} ${forSomeTime})
      and (exists (select from sessions s where s.user_id = u.user_id and s.revoked_at is null and s.expires_at > now())
        or exists (select from api_tokens t where t.user_id = u.user_id and t.revoked_at is null and t.expires_at > now()))`,
  )
  await app.sessions.touch(
    db,
    signedIn.map(({ id }) => id),
  )
}
