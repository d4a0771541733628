import type { users as contract } from '@innkeeper/contract/users'
import { eq, sql } from 'drizzle-orm'
import { forgetAttempts } from '../auth/attempts.ts'
import { dropLink, makeLink } from '../auth/links.ts'
import { readSessions, sessionOf } from '../auth/sessions.ts'
import type { Handlers } from '../kit/http/api.ts'
import { refused } from '../kit/http/errors.ts'
import { changed } from '../kit/live/live.ts'
import { forgetSecondFactor } from '../secondFactor/verify.ts'
import { hashPassword, strong } from './passwords.ts'
import { readUser } from './read.ts'
import { mayLetIn } from './rights.ts'
import { users } from './tables.ts'
import { findUser } from './write.ts'

type Calls = 'forceLogout' | 'sessions' | 'endSession' | 'link' | 'setPassword' | 'unlock' | 'dropSecondFactor'

/** Sign-in of other people: passwords, links, locks and sessions. */
export const signInHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async forceLogout({ userId }, { db, app, audit }) {
    const user = await readUser(db, userId)
    audit.of('user', userId)
    const ended = await app.sessions.endAll(db, userId)
    audit.after({ name: user.name, ended })
    return { ended }
  },

  async sessions({ id }, { db, staff }) {
    await readUser(db, id)
    return readSessions(db, id, staff.sessionKey)
  },

  async endSession({ id, session }, { db, app }) {
    await readUser(db, id)
    await app.sessions.revoke(db, await sessionOf(db, id, session))
  },

  async link({ id }, context) {
    const { db, staff } = context
    await mayLetIn(db, staff, await findUser(context, id))
    return makeLink(db, id)
  },

  async setPassword({ id, password }, context) {
    const { db, staff, app } = context
    const user = await findUser(context, id)
    await mayLetIn(db, staff, user)
    strong(password, 'password', user)
    await db
      .update(users)
      .set({ passwordHash: await hashPassword(password), mustChangePassword: true, version: sql`version + 1` })
      .where(eq(users.id, id))
    await dropLink(db, id)
    await app.sessions.endAll(db, id)
    await changed(db, 'users', id)
  },

  async unlock({ id }, context) {
    const user = await findUser(context, id)
    await forgetAttempts(context.db, user.username)
    await changed(context.db, 'users', id)
  },

  async dropSecondFactor({ id }, context) {
    const { db, staff, app } = context
    const user = await findUser(context, id)
    if (id === staff.id) throw refused('Your own second factor is turned off under Security')
    await mayLetIn(db, staff, user)
    await forgetSecondFactor(db, id)
    await app.sessions.touch(db, id)
    await changed(db, 'users', id)
  },
}
