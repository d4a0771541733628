import type { User } from '@innkeeper/contract/access/users/shapes'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kit/http/api.ts'
import { conflict, outOfReach, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { endEverywhere } from '../rights/endEverywhere.ts'
import { notifyOfHandOver } from '../rights/notices.ts'
import { keepAnAdministrator } from '../rights/rights.ts'
import { handOver, holdingsOf } from './holdings.ts'
import { readUser } from './read.ts'
import { users } from './tables.ts'

type By = Pick<Context, 'app' | 'db' | 'staff' | 'now'>

/** Deletes an account; the heir receives its objects. The caller has called `removeInTurn` and locked the user. */
export async function removeUser(by: By, user: User, heir: number | undefined): Promise<void> {
  const { db, staff, app } = by
  const { id } = user
  if (user.isAdmin) await keepAnAdministrator(db, id)
  const held = await holdingsOf(app, db, id)
  if (held.length && heir === undefined)
    throw conflict(
      `${user.name} is responsible for ${held.map(({ label, count }) => `${label.toLowerCase()}: ${count}`).join(', ')}`,
      {
        fields: { heir: 'Choose who gets these' },
        current: held,
      },
    )
  if (heir === id) throw refused('Somebody else must get these', { heir: 'Somebody else must get these' })
  // private files, teams and places among approvers would pass to whoever deletes their owner
  if (heir === staff.id && held.length && !staff.isAdmin)
    throw outOfReach('You cannot take over the records of a person whom you delete: choose somebody else')
  if (heir !== undefined) {
    await handOver(by, id, await readUser(db, heir))
    if (held.length) await notifyOfHandOver(app, db, staff, heir, { name: user.name, held })
  }
  await endEverywhere(app, db, id)
  await app.endSignIn(db, id)
  await db
    .update(users)
    .set({ deletedAt: sql`now()`, passwordHash: '', ...nextVersion })
    .where(eq(users.id, id))
  await app.accountDeleted(db, { id, username: user.username })
  await changed(db, 'users', id)
}

/** Keeps the account and its records; nobody can sign in with it. The caller has called `removeInTurn`. */
export async function suspendUser({ db, app }: Pick<Context, 'app' | 'db'>, user: User): Promise<void> {
  if (user.isAdmin) await keepAnAdministrator(db, user.id)
  await db
    .update(users)
    .set({ suspendedAt: sql`coalesce(suspended_at, now())`, ...nextVersion })
    .where(eq(users.id, user.id))
  await endEverywhere(app, db, user.id)
  await changed(db, 'users', user.id)
}

export async function resumeUser({ db }: Pick<Context, 'db'>, { id }: Pick<User, 'id'>): Promise<void> {
  await db
    .update(users)
    .set({ suspendedAt: null, ...nextVersion })
    .where(eq(users.id, id))
  await changed(db, 'users', id)
}
