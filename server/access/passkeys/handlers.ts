import type { passkeys as contract, NewPasskey } from '@innkeeper/contract/access/passkeys'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, desc, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { notFound, Refusal, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { notifyOfOwnSignIn } from '../rights/notices.ts'
import { hasAuthenticator, hasSecondFactor, makeBackupCodes } from '../secondFactor/verify.ts'
import { attemptingNobody } from '../users/signIn/attempts.ts'
import { confirmPassword } from '../users/signIn/confirmPassword.ts'
import { openSession } from '../users/signIn/openSession.ts'
import { checkPasskey, keepChallenge, placeOf, reasonOf, useChallenge } from './check.ts'
import { passkeys } from './tables.ts'

/** COSE algorithms of authenticators: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]
/** Maximum number of passkeys of a person. */
const MOST = 20
/** Minutes after a sign-in during which people without a password change their passkeys. */
const FRESH_MINUTES = 10

/** The caller's own passkeys, and sign-in with a passkey alone. */
export const passkeysHandlers: Handlers<typeof contract> = {
  async list(_, { db, staff }) {
    const items = await ofUser(db, staff.id)
    return { items, total: items.length }
  },

  async options({ password }, context) {
    const { app, staff, request, lastly } = context
    await confirmSelf(context, password)
    const known = await app.db.select().from(passkeys).where(eq(passkeys.userId, staff.id))
    if (known.length >= MOST) throw refused(`You have ${MOST} passkeys. Remove one first.`)
    const options = await generateRegistrationOptions({
      rpName: 'Innkeeper',
      rpID: placeOf(request).rpID,
      userName: staff.username,
      userDisplayName: staff.name,
      userID: Uint8Array.from(Buffer.from(`innkeeper-${staff.id}`)),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    })
    await lastly((tx) => keepChallenge(tx, options.challenge, staff.id))
    return { options: { ...options } }
  },

  async add({ name, passkey }, context) {
    const { db, staff, app } = context
    const hadFactor = await hasSecondFactor(db, staff.id)
    const values = await verified(context, passkey)
    const [made] = await db
      .insert(passkeys)
      .values({ userId: staff.id, name, ...values })
      .returning()
    await app.sessions.touch(db, staff.id) // a required second factor may be set up now
    await changed(db, 'users', staff.id)
    await notifyOfOwnSignIn(context, `The passkey ${name} was added`)
    const backupCodes = hadFactor ? undefined : await makeBackupCodes(db, staff.id)
    return { ...made!, ...(backupCodes && { backupCodes }) }
  },

  async rename({ id, name }, { db, staff }) {
    const [renamed] = await db
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, staff.id)))
      .returning()
    if (!renamed) throw notFound('passkey', id)
    return renamed
  },

  async remove({ id, password }, context) {
    const { app, staff, lastly } = context
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.userId, staff.id))
    if (!(await app.db.select().from(passkeys).where(isOwn)).length) throw notFound('passkey', id)
    await confirmSelf(context, password)
    await lastly(async (tx) => {
      await tx.execute(sql`select from users where user_id = ${staff.id} for update`) // of two removals, one is the last
      const [gone] = await tx.delete(passkeys).where(isOwn).returning()
      if (!gone) throw notFound('passkey', id)
      if (!(await hasSecondFactor(tx, staff.id))) await keepRequired(tx, staff.id)
      await changed(tx, 'users', staff.id)
      await notifyOfOwnSignIn({ ...context, db: tx }, `The passkey ${gone.name} was removed`)
    })
    await app.sessions.touch(app.db, staff.id)
  },

  async challenge(_, { db, request }) {
    const options = await generateAuthenticationOptions({ rpID: placeOf(request).rpID, userVerification: 'required' })
    await keepChallenge(db, options.challenge, null)
    return { options: { ...options } }
  },

  async signIn({ passkey }, context) {
    const { app, request, audit, lastly, browser } = context
    const userId = await attemptingNobody(context, () => app.db.transaction((tx) => checkPasskey(tx, request, passkey)))
    const [person] = await rows<{ name: string }>(
      app.db,
      sql`select ${personName()} as name from users where user_id = ${userId} and deleted_at is null`,
    )
    if (!person) throw new Refusal(401, { code: 'passkey', message: 'The account of this passkey was deleted.' })
    audit.by({ id: userId, name: person.name })
    const { ip, userAgent } = request
    const token = await lastly((tx) => openSession(app, tx, userId, { ip, userAgent, device: browser.device() }))
    browser.keep(token)
    return { token }
  },
}

const ofUser = (db: Db, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.createdAt), desc(passkeys.id))

/** Requires the password, so that a stolen session cannot change passkeys. Without one, a sign-in a moment ago. */
async function confirmSelf(context: Context, password: string | undefined): Promise<void> {
  const { app, staff } = context
  const [found] = await rows<{ hasPassword: boolean; isFresh: boolean }>(
    app.db,
    sql`select u.password_hash <> '' as "hasPassword",
        s.created_at > now() - make_interval(mins => ${FRESH_MINUTES}) as "isFresh"
      from users u join sessions s on s.user_id = u.user_id where s.key = ${staff.sessionKey}`,
  )
  if (found?.hasPassword) return confirmPassword(context, 'password', password ?? '')
  if (!found?.isFresh)
    throw refused(`Sign in again first: passkeys change within ${FRESH_MINUTES} minutes after a sign-in`)
}

async function verified({ db, staff, request }: Context, passkey: NewPasskey) {
  const { rpID, origins } = placeOf(request)
  const { verified: isGood, registrationInfo: info } = await verifyRegistrationResponse({
    // the contract has validated the fields that the library reads
    response: passkey as RegistrationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(db, challenge, staff.id),
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: Error) => {
    throw refused(`The passkey was not accepted: ${reasonOf(error)}`)
  })
  if (!isGood || !info) throw refused('The passkey was not accepted.')
  const { id, publicKey, counter } = info.credential
  const [taken] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.credentialId, id))
  if (taken) throw refused('This passkey belongs to an account already')
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: passkey.response.transports ?? [],
    isSynced: info.credentialBackedUp,
  }
}

/** Refuses to remove the last factor of a person whose role requires one. Without any factor, backup codes mean nothing. */
async function keepRequired(db: Db, userId: number): Promise<void> {
  const [role] = await rows<{ name: string }>(
    db,
    sql`select r.name from users u join roles r on r.role_id = u.role_id
      where u.user_id = ${userId} and r.requires_second_factor`,
  )
  if (role && !(await hasAuthenticator(db, userId)))
    throw refused(`Your role ${role.name} requires a second factor: set up an authenticator or another passkey first`)
  await db.execute(sql`delete from backup_codes where user_id = ${userId}`)
}
