import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { networkOf } from '../../../kit/http/address.ts'
import type { Context } from '../../../kit/http/api.ts'
import { Refusal, tooMany } from '../../../kit/http/errors.ts'
import { oneByOne } from './turns.ts'

export const ALLOWED = 5
export const MINUTES = 15
/** Number of days after a sign-in during which its address is known. */
const KNOWN_DAYS = 90

/**
 * Limit of wrong sign-ins from one address within these minutes, for all names together. People who recently signed in
 * from there have a higher limit, so that somebody who guesses passwords in the same building does not soon lock them
 * out.
 */
export const OF_ADDRESS = 30
const OF_KNOWN_ADDRESS = 100
/** Maximum number of refused sign-ins, over all addresses, that get a log row within these minutes. */
const LOGGED = 1000

/** Key by which an attempt is counted. */
export interface Attempt {
  name: string
  place: string
  isGivenBack?: boolean
}

/**
 * Checks a password or link within the limits of its name and address. Attempts of one name run in sequence, so that
 * people who know their password are not refused for several concurrent sign-ins.
 */
export async function attempting<T>(
  context: Context,
  name: string,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { app, request } = context
  const known = await knownPlace(app.db, name, request.ip)
  return underLimit(context, name, known, async () => {
    const attempt = await takeAttempt(app.db, name, known)
    return [attempt, () => work(attempt)]
  })
}

/** Checks credentials that belong to no account. Only the address is counted. */
export const attemptingNobody = <T>(context: Context, work: () => Promise<T>): Promise<T> =>
  underLimit(context, '', '', async () => [{ name: '', place: '' }, work])

async function underLimit<T>(
  { app, request }: Context,
  name: string,
  known: string,
  prepare: () => Promise<[Attempt, () => Promise<T>]>,
): Promise<T> {
  const network = networkOf(request.ip)
  return oneByOne(name, network, async () => {
    await checkAddress(app.db, network, known ? OF_KNOWN_ADDRESS : OF_ADDRESS)
    const [attempt, work] = await prepare()
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && !attempt.isGivenBack) {
        await count(app.db, '', network)
        const { failed, wait } = await count(app.db, '', '')
        error.isLogged = failed <= LOGGED
        if (failed === LOGGED + 1) app.log.warn(`refused sign-ins get no log rows for ${wait} min: there are too many`)
      }
      throw error
    }
  })
}

/** The address, if the account recently signed in from there, otherwise an empty text. */
async function knownPlace(db: Db, name: string, ip: string): Promise<string> {
  const [known] = await rows(
    db,
    sql`select from users u join sessions s on s.user_id = u.user_id
      where lower(u.username) = ${name} and u.deleted_at is null and s.ip = ${ip}
        and s.created_at > now() - make_interval(days => ${KNOWN_DAYS}) limit 1`,
  )
  return known ? ip : ''
}

async function checkAddress(db: Db, network: string, most: number): Promise<void> {
  const [found] = await rows<{ failed: number }>(
    db,
    sql`select failed from sign_in_attempts where name = '' and place = ${network}
      and since > now() - make_interval(mins => ${MINUTES})`,
  )
  if (!found || found.failed < most) return
  const { failed, wait } = await count(db, '', network)
  // the first refusal is logged, further ones are not
  throw tooMany(`Too many wrong sign-ins from your address. Try again in ${wait} min.`, {
    isLogged: failed === most + 1,
  })
}

/** Counts an attempt in a window of some minutes that starts with its first attempt. */
async function count(db: Db, name: string, place: string): Promise<{ failed: number; wait: number }> {
  const [counted] = await rows<{ failed: number; wait: number }>(
    db,
    sql`insert into sign_in_attempts (name, place, failed, since) values (${name}, ${place}, 1, now())
      on conflict (name, place) do update set
        failed = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then 1 else sign_in_attempts.failed + 1 end,
        since = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then now() else sign_in_attempts.since end
      returning failed, ceil(extract(epoch from since + make_interval(mins => ${MINUTES}) - now()) / 60)::int as wait`,
  )
  return counted ?? { failed: 1, wait: MINUTES }
}

/**
 * Counts an attempt before the password is checked, in one statement: of 50 concurrent guesses only five are checked.
 * The key is the typed name, so that unknown accounts lock in the same way. An address from which the account signed in
 * before has its own count, so that strangers cannot lock anybody out, in particular not the last administrator.
 */
async function takeAttempt(db: Db, name: string, place: string): Promise<Attempt> {
  const { failed, wait } = await count(db, name, place)
  if (failed > ALLOWED)
    throw tooMany(`Too many wrong passwords. Try again in ${wait} min, or ask an administrator.`, {
      isLogged: failed === ALLOWED + 1,
    })
  return { name, place }
}

/** Resets the count after the right password or when an administrator unlocks the account. */
export async function forgetAttempts(db: Db, username: string): Promise<void> {
  await db.execute(sql`delete from sign_in_attempts where name = ${username.toLowerCase()}`)
}

/** Removes an attempt with the right password and a missing code from the count. */
export async function giveAttemptBack(db: Db, attempt: Attempt): Promise<void> {
  attempt.isGivenBack = true
  const { name, place } = attempt
  await db.execute(
    sql`update sign_in_attempts set failed = failed - 1 where name = ${name} and place = ${place} and failed > 0`,
  )
}
