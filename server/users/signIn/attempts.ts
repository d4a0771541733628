import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused, tooMany } from '../../kit/http/errors.ts'
import { passwordFits } from './passwords.ts'

export const ALLOWED = 5
export const MINUTES = 15
/** Days after a sign-in during which its address counts as known. */
const KNOWN_DAYS = 90

/** Key under which an attempt is counted. */
export interface Attempt {
  name: string
  place: string
}

/**
 * Counts an attempt before the password is checked, in one statement: of 50 concurrent guesses only five are checked.
 * The key is the typed name, so that unknown accounts lock in the same way. An address from which the account signed in
 * before has its own count, so that strangers cannot lock anybody out, in particular not the last administrator.
 */
export async function takeAttempt(db: Db, name: string, ip: string): Promise<Attempt> {
  const [count] = await rows<{ failed: number; wait: number; place: string }>(
    db,
    sql`insert into sign_in_attempts (name, place, failed, since) values (${name}, coalesce(
        (select s.ip from users u join sessions s on s.user_id = u.user_id
          where lower(u.username) = ${name} and u.deleted_at is null and s.ip = ${ip}
            and s.created_at > now() - make_interval(days => ${KNOWN_DAYS}) limit 1), ''), 1, now())
      on conflict (name, place) do update set
        failed = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then 1 else sign_in_attempts.failed + 1 end,
        since = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then now() else sign_in_attempts.since end
      returning place, failed, ceil(extract(epoch from since + make_interval(mins => ${MINUTES}) - now()) / 60)::int as wait`,
  )
  if (count && count.failed > ALLOWED)
    throw tooMany(`Too many wrong passwords. Try again in ${count.wait} min, or ask an administrator.`)
  return { name, place: count?.place ?? '' }
}

/** Resets the count after the right password or when an administrator unlocks the account. */
export async function forgetAttempts(db: Db, username: string): Promise<void> {
  await db.execute(sql`delete from sign_in_attempts where name = ${username.toLowerCase()}`)
}

/** Uncounts an attempt with the right password and a missing code. */
export async function giveAttemptBack(db: Db, { name, place }: Attempt): Promise<void> {
  await db.execute(
    sql`update sign_in_attempts set failed = failed - 1 where name = ${name} and place = ${place} and failed > 0`,
  )
}

/** Checks the caller's own password again before an operation that a stolen session must not allow. */
export async function confirmPassword(
  { app, staff, request }: Context,
  field: string,
  password: string,
): Promise<void> {
  await takeAttempt(app.db, staff.username.toLowerCase(), request.ip)
  const [found] = await rows<{ hash: string }>(
    app.db,
    sql`select password_hash as hash from users where user_id = ${staff.id}`,
  )
  if (!(await passwordFits(found?.hash, password)))
    throw refused('That is not your password', { [field]: 'Not your password' })
  await forgetAttempts(app.db, staff.username)
}
