import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { hashPassword } from './signIn/passwords.ts'
import { users } from './tables.ts'

const readable = () => randomBytes(12).toString('base64url')

const admin = (passwordHash: string) => ({
  username: 'admin',
  email: 'admin@localhost',
  firstName: 'First',
  lastName: 'Administrator',
  passwordHash,
  isAdmin: true,
})

/** Creates the first administrator if there is none. Returns the password if it was generated, to be printed once. */
export async function ensureAdministrator(db: Db, given: string | undefined): Promise<{ password?: string }> {
  const [somebody] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.deletedAt)))
    .limit(1)
  if (somebody) return {}
  const password = given ?? readable()
  const made = await db
    .insert(users)
    .values(admin(await hashPassword(password)))
    .onConflictDoNothing() // another node created the administrator
    .returning({ id: users.id })
  return given || !made.length ? {} : { password }
}

/**
 * Sets a new password for `admin`, restores the administrator flag, removes the second factor and ends all sessions.
 */
export async function resetAdministrator(
  db: Db,
  { endSignIn, endKeys }: Pick<App, 'endSignIn' | 'endKeys'>,
): Promise<{ password: string }> {
  const password = readable()
  const passwordHash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const [known] = await tx
      .update(users)
      .set({
        passwordHash,
        isAdmin: true,
        mustChangePassword: false,
        letInById: null,
        suspendedAt: null,
        version: sql`${users.version} + 1`,
      })
      .where(and(eq(users.username, 'admin'), isNull(users.deletedAt)))
      .returning({ id: users.id })
    if (!known) return void (await tx.insert(users).values(admin(passwordHash)))
    await tx.execute(sql`update sessions set revoked_at = now() where user_id = ${known.id} and revoked_at is null`)
    await tx.execute(sql`delete from sign_in_attempts where name = 'admin'`)
    // the new password has to sign in, even if passwords are off
    await tx.execute(sql`update sign_in_settings set break_glass_id = ${known.id} where not passwords`)
    await endSignIn(tx, known.id)
    await endKeys(tx, [known.id])
    await tx.execute(sql`select pg_notify('sessions', ${`end-all ${known.id}`})`)
  })
  return { password }
}
