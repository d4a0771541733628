import type { users as contract } from '@innkeeper/contract/access/users/calls'
import { eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { endEverywhere } from '../../rights/endEverywhere.ts'
import { notifyOfSignIn } from '../../rights/notices.ts'
import { mayActOn } from '../../rights/reach.ts'
import { mayLetIn, removeInTurn } from '../../rights/rights.ts'
import { resumeUser, suspendUser } from '../leave.ts'
import { readUser } from '../read.ts'
import { users } from '../tables.ts'
import { findUser, letInBy } from '../write.ts'
import { forgetAttempts } from './attempts.ts'
import { dropLink, makeLink } from './links.ts'
import { hashPassword, strong } from './passwords.ts'
import { readSessions, sessionOf } from './sessions.ts'

type Calls = 'forceLogout' | 'sessions' | 'endSession' | 'link' | 'setPassword' | 'unlock' | 'suspend' | 'resume'

/** Sign-in of other people: passwords, links, locks and sessions. */
export const signInHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async forceLogout({ userId }, { db, app, staff, audit }) {
    const user = await readUser(db, userId)
    audit.of('user', userId)
    await mayActOn(db, staff, { ids: [userId] })
    const ended = await endEverywhere(app, db, userId)
    audit.after({ name: user.name, ended })
    return { ended }
  },

  async sessions({ id }, { db, staff }) {
    await readUser(db, id)
    return readSessions(db, id, staff.sessionKey)
  },

  async endSession({ id, session }, { db, app, staff }) {
    await readUser(db, id)
    const key = await sessionOf(db, id, session)
    await mayActOn(db, staff, { ids: [id] })
    await app.sessions.revoke(db, key)
  },

  async suspend({ id }, context) {
    const { db, staff, audit } = context
    await removeInTurn(db)
    const user = await findUser(context, id)
    if (id === staff.id) throw refused('Nobody suspends their own account')
    await mayActOn(db, staff, { ids: [id] })
    if (user.suspendedAt) throw conflict(`${user.name} is suspended already`)
    await suspendUser(context, user)
    const now = await readUser(db, id)
    audit.after(now)
    return now
  },

  async resume({ id }, context) {
    const { db, staff, audit } = context
    const user = await findUser(context, id)
    await mayActOn(db, staff, { ids: [id] })
    if (!user.suspendedAt) throw conflict(`${user.name} is not suspended`)
    await resumeUser(context, user)
    const now = await readUser(db, id)
    audit.after(now)
    return now
  },

  async link({ id }, context) {
    const { db, staff } = context
    const user = await findUser(context, id)
    await mayLetIn(context, user)
    await notifyOfSignIn(context, user, 'A sign-in link was made')
    return makeLink(db, id, staff.id)
  },

  async setPassword({ id, password }, context) {
    const { db, staff, app } = context
    const user = await findUser(context, id)
    await mayLetIn(context, user)
    strong(password, 'password', user)
    await db
      .update(users)
      .set({
        passwordHash: await hashPassword(password),
        mustChangePassword: true,
        ...letInBy(staff.id),
        version: sql`version + 1`,
      })
      .where(eq(users.id, id))
    await dropLink(db, id)
    await endEverywhere(app, db, id)
    await notifyOfSignIn(context, user, 'A new password was set')
    await changed(db, 'users', id)
  },

  async unlock({ id }, context) {
    const user = await findUser(context, id)
    await mayActOn(context.db, context.staff, { ids: [id] })
    await forgetAttempts(context.db, user.username)
    await changed(context.db, 'users', id)
  },
}
