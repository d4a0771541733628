import type { auth } from '@innkeeper/contract/auth'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Handlers } from '../kit/api.ts'
import { type Db, rows } from '../kit/db.ts'
import { Refusal, tooMany } from '../kit/errors.ts'
import { profiles } from '../profiles/tables.ts'
import { themeOf } from '../profiles/view.ts'
import { passwordFits } from './passwords.ts'
import { signInAttempts, users } from './tables.ts'

const ALLOWED = 5
const MINUTES = 15
const wrong = () => new Refusal(401, { code: 'wrong-credentials', message: 'User name or password is wrong' })

/** Sign-in, sign-out and the question at start-up (platform §7 Auth). */
export const authHandlers: Handlers<typeof auth> = {
  async token({ user, password }, { app, audit, request, lastly }) {
    const name = user.toLowerCase()
    audit.by({ name: user })
    await takeAttempt(app.db, name)
    const [found] = await app.db
      .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, passwordHash: users.passwordHash })
      .from(users)
      .where(and(eq(sql`lower(${users.username})`, name), isNull(users.deletedAt)))
    if (!(await passwordFits(found?.passwordHash, password)) || !found) throw wrong()
    audit.by({ id: found.id, name: `${found.firstName} ${found.lastName}` })
    const token = await lastly(async (tx) => {
      await tx.delete(signInAttempts).where(eq(signInAttempts.name, name))
      return app.sessions.open(tx, found.id, { ip: request.ip, userAgent: request.userAgent })
    })
    return { token }
  },

  async logout(_, { app, db, staff }) {
    await app.sessions.end(db, staff.sessionKey)
  },

  async validate(_, { db, staff, request }) {
    const [row] = await db
      .select({
        email: users.email,
        darkTheme: users.darkTheme,
        showReviewedEscalations: users.showReviewedEscalations,
        profileImage: users.profileImage,
        timeZone: profiles.timeZone,
      })
      .from(users)
      .leftJoin(profiles, eq(profiles.id, users.id))
      .where(eq(users.id, staff.id))
    if (!row) throw wrong()
    const { timeZone, darkTheme, ...rest } = row
    const { id, username, name, isAdmin, scopes, departmentId, sessionKey } = staff
    const user = {
      id,
      profileId: id,
      username,
      name,
      isAdmin,
      scopes: [...scopes],
      departmentId,
      jwt: request.token,
      wsKey: sessionKey,
      darkTheme: darkTheme ?? false,
      ...rest,
    }
    return { valid: true, user, preferences: { theme: themeOf(darkTheme), timeZone } }
  },
}

/**
 * Counts before the password is looked at, in one statement: of 50 guesses at once, five are tried. Counted by the name
 * as typed, so that an account that does not exist locks just the same.
 */
async function takeAttempt(db: Db, name: string): Promise<void> {
  const [count] = await rows<{ failed: number; wait: number }>(
    db,
    sql`insert into sign_in_attempts (name, failed, since) values (${name}, 1, now())
      on conflict (name) do update set
        failed = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then 1 else sign_in_attempts.failed + 1 end,
        since = case when sign_in_attempts.since < now() - make_interval(mins => ${MINUTES}) then now() else sign_in_attempts.since end
      returning failed, ceil(extract(epoch from since + make_interval(mins => ${MINUTES}) - now()) / 60)::int as wait`,
  )
  if (count && count.failed > ALLOWED)
    throw tooMany(`Too many wrong passwords. Try again in ${count.wait} min, or ask an administrator.`)
}
