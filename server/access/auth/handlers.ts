import type { auth } from '@innkeeper/contract/access/auth'
import type { PasskeyAnswer } from '@innkeeper/contract/access/passkeyAnswer'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { notFound, Refusal } from '../../kit/http/errors.ts'
import { checkPasskey } from '../passkeys/check.ts'
import { profiles } from '../profiles/tables.ts'
import { themeOf } from '../profiles/view.ts'
import { checkPasswords } from '../providers/settings.ts'
import { endEverywhere } from '../rights/endEverywhere.ts'
import { checkSecondFactor, hasSecondFactor } from '../secondFactor/verify.ts'
import { nameOf } from '../users/read.ts'
import {
  type Attempt,
  attempting,
  attemptingNobody,
  forgetAttempts,
  giveAttemptBack,
} from '../users/signIn/attempts.ts'
import { confirmPassword } from '../users/signIn/confirmPassword.ts'
import { dropLink, findLink } from '../users/signIn/links.ts'
import { openSession } from '../users/signIn/openSession.ts'
import { hashPassword, passwordFits, strong } from '../users/signIn/passwords.ts'
import { readSessions, sessionOf } from '../users/signIn/sessions.ts'
import { users } from '../users/tables.ts'
import { letInBy } from '../users/write.ts'

const wrong = () => new Refusal(401, { code: 'wrong-credentials', message: 'User name or password is wrong' })
const codeWanted = () =>
  new Refusal(401, { code: 'second-factor', message: 'Enter the six digits that your authenticator shows' })

/** Sign-in, sign-out, the state at start-up (platform §7 Auth), and the caller's own password and sessions. */
export const authHandlers: Handlers<typeof auth> = {
  async token({ user, password, code, passkey }, context) {
    const { app, audit } = context
    audit.by({ name: user })
    const found = await accountOf(app.db, user.toLowerCase())
    return attempting(context, found?.username.toLowerCase() ?? user.toLowerCase(), async (attempt) => {
      const fits = await passwordFits(found?.passwordHash, password)
      await checkPasswords(app.db, found?.id)
      if (!fits || !found) throw wrong()
      audit.by({ id: found.id, name: `${found.firstName} ${found.lastName}` })
      return signIn(context, found.id, attempt, { code, passkey })
    })
  },

  async link({ link }, context) {
    const { username, name, expiresAt, userId, recovers } = await findLink(context, link)
    return { username, name, expiresAt, secondFactor: !recovers && (await hasSecondFactor(context.db, userId)) }
  },

  async redeem({ link, password, code, passkey }, context) {
    const { app, audit } = context
    const person = await attemptingNobody(context, () => findLink({ ...context, db: app.db }, link))
    audit.by({ id: person.userId, name: person.name })
    if (!person.recovers) await checkPasswords(app.db, person.userId) // a recovered person adds a passkey next
    strong(password, 'password', person)
    return attempting(context, person.username.toLowerCase(), async (attempt) => {
      const passwordHash = await hashPassword(password)
      return signIn(context, person.userId, attempt, { code, passkey, isRecovery: person.recovers }, async (tx) => {
        // another request has used the link
        if (!(await dropLink(tx, person.userId, link))) throw notFound('sign-in link')
        if (person.recovers) await app.endSignIn(tx, person.userId)
        await writePassword(tx, person.userId, passwordHash, letInBy(person.byId))
        await endEverywhere(app, tx, person.userId)
      })
    })
  },

  async logout(_, { app, db, staff, browser }) {
    await app.sessions.end(db, staff.sessionKey)
    browser.keep(null)
  },

  async validate(_, { db, staff, request, browser }) {
    browser.adopt()
    const [row] = await db
      .select({
        email: users.email,
        darkTheme: users.darkTheme,
        showReviewedEscalations: users.showReviewedEscalations,
        profileImage: users.profileImage,
        timeZone: profiles.timeZone,
        language: profiles.language,
        region: profiles.region,
        firstDay: profiles.firstDay,
      })
      .from(users)
      .leftJoin(profiles, eq(profiles.id, users.id))
      .where(eq(users.id, staff.id))
    if (!row) throw wrong()
    const { timeZone, darkTheme, language, region, firstDay, ...rest } = row
    const { id, username, name, isAdmin, scopes, departmentId, sessionKey, owes } = staff
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
    const preferences = { theme: themeOf(darkTheme), timeZone, locale: { language, region, firstDay } }
    return { valid: true, user, preferences, ...(owes && { owes }) }
  },

  async password({ current, password }, context) {
    const { app, staff, lastly } = context
    await confirmPassword(context, 'current', current)
    const [person] = await app.db
      .select({
        username: users.username,
        email: users.email,
        name: nameOf,
      })
      .from(users)
      .where(eq(users.id, staff.id))
    strong(password, 'password', person ?? staff)
    if (password === current) throw new Refusal(422, same)
    const passwordHash = await hashPassword(password)
    await lastly(async (tx) => {
      await writePassword(tx, staff.id, passwordHash)
      await endEverywhere(app, tx, staff.id, staff.sessionKey)
      await app.sessions.touch(tx, staff.id)
    })
  },

  async sessions(_, { db, staff }) {
    return readSessions(db, staff.id, staff.sessionKey)
  },

  async endSession({ id }, { app, db, staff }) {
    const key = await sessionOf(db, staff.id, id)
    await app.sessions.revoke(db, key)
  },

  async endOthers(_, { app, db, staff }) {
    return { ended: await endEverywhere(app, db, staff.id, staff.sessionKey) }
  },
}

const same = {
  code: 'refused',
  message: 'This is your present password',
  fields: { password: 'This is your present password. Choose another.' },
}

/** The account of a user name or an e-mail address. A user name takes precedence. */
async function accountOf(db: Db, name: string) {
  const [found] = await db
    .select({
      id: users.id,
      username: users.username,
      firstName: users.firstName,
      lastName: users.lastName,
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(and(sql`(lower(${users.username}) = ${name} or lower(${users.email}) = ${name})`, isNull(users.deletedAt)))
    .orderBy(sql`lower(${users.username}) <> ${name}`)
    .limit(1)
  return found
}

interface Proof {
  code: string | undefined
  passkey: PasskeyAnswer | undefined
  /** Two administrators vouch for the person, whose factors are lost. */
  isRecovery?: boolean
}

/** Last step of sign-in by password or link: checks the second factor, if set, and creates a session. */
async function signIn(
  { app, request, lastly, browser }: Context,
  id: number,
  attempt: Attempt,
  { code, passkey, isRecovery = false }: Proof,
  first: (tx: Db) => Promise<void> = async () => {},
): Promise<{ token: string }> {
  const asked = !isRecovery && (await hasSecondFactor(app.db, id))
  if (asked && !code && !passkey) {
    await giveAttemptBack(app.db, attempt)
    throw codeWanted()
  }
  const token = await lastly(async (tx) => {
    if (asked && passkey) await checkPasskey(tx, request, passkey, id)
    else if (asked) await checkSecondFactor(app, tx, id, code ?? '')
    await first(tx)
    await forgetAttempts(tx, attempt.name)
    const { ip, userAgent } = request
    return openSession(app, tx, id, { ip, userAgent, device: browser.device() })
  })
  browser.keep(token)
  return { token }
}

async function writePassword(
  tx: Db,
  id: number,
  passwordHash: string,
  entry: Partial<ReturnType<typeof letInBy>> = {},
): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, mustChangePassword: false, ...entry, updatedAt: sql`now()` })
    .where(eq(users.id, id))
}
