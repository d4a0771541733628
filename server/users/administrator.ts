import { randomBytes } from 'node:crypto'
import { eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../kit/db.ts'
import { hashPassword } from './passwords.ts'
import { users } from './tables.ts'

const readable = () => randomBytes(12).toString('base64url')

/** Makes the first administrator where there is nobody yet. Answers the password to print once, if it made one up. */
export async function ensureAdministrator(db: Db, given: string | undefined): Promise<{ password?: string }> {
  const [somebody] = await db.select({ id: users.id }).from(users).where(isNull(users.deletedAt)).limit(1)
  if (somebody) return {}
  const password = given ?? readable()
  await db
    .insert(users)
    .values({
      username: 'admin',
      email: 'admin@localhost',
      firstName: 'First',
      lastName: 'Administrator',
      passwordHash: await hashPassword(password),
      isAdmin: true,
    })
    .onConflictDoNothing() // another node was first
  return given ? {} : { password }
}

/** A new password for `admin`, who is an administrator again afterwards. All sessions of that account end. */
export async function resetAdministrator(db: Db): Promise<{ password: string }> {
  const password = readable()
  const passwordHash = await hashPassword(password)
  await ensureAdministrator(db, password)
  await db.transaction(async (tx) => {
    const [admin] = await tx
      .update(users)
      .set({ passwordHash, isAdmin: true, deletedAt: null, version: sql`${users.version} + 1` })
      .where(eq(users.username, 'admin'))
      .returning({ id: users.id })
    if (!admin) throw new Error('there is no account named admin')
    await tx.execute(sql`update sessions set revoked_at = now() where user_id = ${admin.id} and revoked_at is null`)
    await tx.execute(sql`delete from sign_in_attempts where name = 'admin'`)
    await tx.execute(sql`select pg_notify('sessions', ${`end-all ${admin.id}`})`)
  })
  return { password }
}
