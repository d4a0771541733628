import type { User } from '@innkeeper/contract/access/users/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kit/http/api.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { readUser } from './read.ts'
import { users } from './tables.ts'

/** Locks a user until the call ends, so that concurrent writes see each other. 404, or 409 with the stored row. */
export async function findUser({ db, audit }: Context, id: number, version?: number): Promise<User> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
  const user = await readUser(db, id)
  audit.before(user)
  checkVersion(user, version, user.name)
  return user
}

/** Columns that record whose link or password gave access to an account; see letIn.ts. */
export const letInBy = (makerId: number | null) => ({ letInById: makerId, letInAt: sql`now()` })

type Fields = { [K in keyof typeof users.$inferInsert]?: (typeof users.$inferInsert)[K] | SQL | undefined }

/** Writes fields of a user, with a log row and `changed` events. */
export async function writeUser({ db, audit }: Context, id: number, fields: Fields): Promise<User> {
  await db
    .update(users)
    .set({ ...fields, ...nextVersion })
    .where(eq(users.id, id))
  const user = await readUser(db, id)
  audit.after(user)
  await changed(db, 'users', id)
  return user
}
